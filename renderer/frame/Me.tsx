// Who is at the desk. Signing in and changing over belong to the people feature, which fills this in.
export function Me() {
  return null;
}
