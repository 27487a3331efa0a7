/** Settings of the sample company's programs: all read and checked before serving; a wrong one is said in one sentence. */
import type { z } from 'zod';

/** Says why the program cannot start and ends it with code 2. */
export function refuse(program: string, why: string): never {
  console.error(`${program}: ${why}.`.replace(/\.\.$/, '.'));
  process.exit(2);
}

export function readEnvironment<T>(program: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return process.env[name] === undefined ? `${name} is not set` : `${name} is wrong: ${issue.message}`;
  });
  return refuse(program, wrong.join('; '));
}
