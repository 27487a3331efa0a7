export type Role = 'staff' | 'lead' | 'admin';
export interface Person {
  id: string;
  name: string;
  role: Role;
}

const rank: Record<Role, number> = { staff: 0, lead: 1, admin: 2 };

/** Whether a role includes what another may do: staff, lead, admin (spec host §25). */
export function may(role: Role, least: Role): boolean {
  return rank[role] >= rank[least];
}
