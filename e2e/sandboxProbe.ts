// Run as an ordinary user by shell.test.ts: opens the window with the system's sandbox on and prints what the kernel says of
// the page's process. `node e2e/sandboxProbe.ts DATA`
import { readFileSync } from 'node:fs';
import { openInWindow } from './screen.ts';

const [data = ''] = process.argv.slice(2);
const desk = await openInWindow(data, { sandbox: true });
await desk.page.locator('body').waitFor({ state: 'attached', timeout: 120_000 });
const pid = await desk.app.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === 'Tab')?.pid);
console.log(/^Seccomp:\s+(\d)/m.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1]);
await desk.close();
process.exit(0);
