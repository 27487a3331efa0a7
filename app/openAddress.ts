// Which address of a server's question the shell hands to the system: the host read it out of the question and checked it
// (spec host §18), and this looks once more, so that no other way to the system's programs exists.
export function mayOpen(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.href !== text || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
