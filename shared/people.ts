export type Role = 'staff' | 'lead' | 'admin';
export interface Person {
  id: string;
  name: string;
  role: Role;
}
