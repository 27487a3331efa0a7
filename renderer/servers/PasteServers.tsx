// Servers from the JSON people already have for other programs: read, looked at with their exact commands, completed, added.
import { useState } from 'react';
import { Failure } from '../../shared/failures.ts';
import { missingValues, readServers, valuesOf, withValue } from '../../shared/serverFile.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { useDoing } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Tick } from '../parts/Option.tsx';
import { Facts, Notice, Section } from '../parts/Page.tsx';
import styles from './Servers.module.css';

interface Props {
  busy: boolean;
  taken: string[];
  add: (read: () => ServerConfig[]) => void;
}
const example = '{"mcpServers": {"mine": {"command": "node", "args": ["server.js"]}}}';

export function PasteServers({ busy, taken, add }: Props) {
  const [text, setText] = useState('');
  const [read, setRead] = useState<ServerConfig[] | null>(null);
  const { failed, run } = useDoing();
  async function look(): Promise<void> {
    const found = await run(() => Promise.resolve(readServers(text, 'What was pasted')));
    if (found === undefined) return;
    // What was pasted may hold secrets: from here on they are shown nowhere.
    setText('');
    setRead(found);
    announce(
      found.length === 1
        ? 'One server. Look at it, then add it.'
        : `${found.length} servers. Look at them, then add them.`,
    );
  }
  if (read !== null) return <Reviewed {...{ busy, taken, add, read }} back={() => setRead(null)} />;
  return (
    <>
      <Field
        label="JSON of other programs"
        help={
          <>
            As Claude Desktop, VS Code or Cursor keep it: <code>{example}</code>
          </>
        }
        value={text}
        onChange={setText}
        lines={10}
        mono
      />
      <p className={styles.actions}>
        <Button look="primary" disabled={text.trim() === ''} onPress={() => void look()}>
          Look at it
        </Button>
      </p>
      {failed !== null && (
        <Notice title="Not read" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
    </>
  );
}

interface Asked {
  /** As pasted; the person's own prefix, choice of secrets and values beside it. */
  config: ServerConfig;
  prefix: string;
  given: Record<string, string>;
}

function Reviewed({ busy, taken, add, read, back }: Props & { read: ServerConfig[]; back: () => void }) {
  const [all, setAll] = useState<Asked[]>(() => read.map((config) => ({ config, prefix: config.prefix, given: {} })));
  const change = (at: number, to: Partial<Asked>) =>
    setAll((old) => old.map((one, index) => (index === at ? { ...one, ...to } : one)));
  const ready = all.every(({ config, given }) => missingValues(config).every((name) => (given[name] ?? '') !== ''));
  return (
    <>
      {all.map((one, at) => (
        <One
          key={one.config.prefix}
          asked={one}
          wrong={wrongOf(one.prefix, all, taken)}
          change={(to) => change(at, to)}
        />
      ))}
      <p className={styles.actions}>
        <Button
          look="primary"
          disabled={busy || !ready || all.some(({ prefix }) => wrongOf(prefix, all, taken) !== null)}
          onPress={() => add(() => all.map(complete))}
        >
          {busy ? 'Adding…' : all.length === 1 ? 'Add the server' : `Add ${all.length} servers`}
        </Button>
        <Button onPress={back}>Paste something else</Button>
      </p>
    </>
  );
}

function One({ asked, wrong, change }: { asked: Asked; wrong: string | null; change: (to: Partial<Asked>) => void }) {
  const { config, prefix, given } = asked;
  const names = Object.keys(valuesOf(config));
  const missing = missingValues(config);
  const secret = (name: string, on: boolean) =>
    change({
      config: { ...config, secrets: on ? [...config.secrets, name] : config.secrets.filter((one) => one !== name) },
    });
  return (
    <Section title={config.kind === 'stdio' ? 'A program on this machine' : 'An address'}>
      <Facts
        rows={[
          config.kind === 'stdio'
            ? ['Runs', <Foreign key="runs" as="code" text={[config.command, ...config.args].join(' ')} />]
            : ['Address', <Foreign key="url" as="code" text={config.url} />],
          ...(config.enabled ? [] : ([['At first', 'off, as it was there']] satisfies [string, string][])),
        ]}
      />
      <Field
        label="Prefix"
        help="Goes before each of its tools."
        value={prefix}
        onChange={(value) => change({ prefix: value })}
        required
        mono
        wrong={wrong}
      />
      {missing.map((name) => (
        <Field
          key={name}
          label={name}
          help="It asks for this value."
          type="password"
          value={given[name] ?? ''}
          onChange={(value) => change({ given: { ...given, [name]: value } })}
          required
          mono
        />
      ))}
      {names.length > 0 && (
        <>
          <p className={styles.faint}>
            {config.kind === 'stdio' ? 'It gets these variables' : 'These headers are sent along'}; values are not
            shown. A secret one is kept by the system’s key store where the desk has it, else until the desk ends; never
            in its database.
          </p>
          {names.map((name) => (
            <Tick key={name} on={config.secrets.includes(name)} set={(on) => secret(name, on)}>
              <code>{drawn(name)}</code> is a secret
            </Tick>
          ))}
        </>
      )}
    </Section>
  );
}

function wrongOf(prefix: string, all: Asked[], taken: string[]): string | null {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(prefix)) return 'A prefix is 1–32 letters, digits, _ or -.';
  if (taken.includes(prefix)) return `There is a server “${prefix}” already.`;
  return all.filter((one) => one.prefix === prefix).length > 1 ? 'Two of them have this prefix.' : null;
}
function complete({ config, prefix, given }: Asked): ServerConfig {
  let whole: ServerConfig = { ...config, prefix };
  for (const name of missingValues(config)) {
    const value = given[name];
    if (value === undefined) throw new Failure('servers.form', `${name} has no value yet. Nothing was added.`);
    whole = withValue(whole, name, value);
  }
  return whole;
}
