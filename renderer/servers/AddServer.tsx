// Adding a server: by a form, or by pasting the JSON people already have for other programs.
import { useEffect, useState } from 'react';
import { Label, RadioGroup, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Failure } from '../../shared/failures.ts';
import { readServers } from '../../shared/serverFile.ts';
import { serverConfig, type ServerConfig } from '../../shared/servers.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { OneOf, Tick } from '../parts/Option.tsx';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import fields from '../questions/FormFields.module.css';
import { desk } from '../session.ts';
import styles from './Servers.module.css';

interface Props {
  page: React.RefObject<PageHandle | null>;
  taken: string[];
  /** The first server that was added; null where the person left it. */
  onDone: (prefix: string | null) => void;
}

export function AddServer({ page, taken, onDone }: Props) {
  const { busy, failed, run } = useDoing();
  useEffect(() => page.current?.focus(), [page]);
  useCommand('servers.list', () => onDone(null));
  async function add(read: () => ServerConfig[]): Promise<void> {
    const done = await run(async () => {
      const configs = read();
      const double = configs.find(({ prefix }) => taken.includes(prefix));
      if (double !== undefined)
        throw new Failure('servers.taken', `There is a server “${double.prefix}” already. Nothing was added.`);
      for (const config of configs) await desk.ask('servers.add', { config }, { deadline: null });
      return configs[0]?.prefix ?? null;
    });
    if (done === undefined) return;
    announce('Added. None of its tools is offered before an admin approves it.');
    onDone(done);
  }
  return (
    <Page
      handle={page}
      title="Add a server"
      sub="None of its tools is offered to the model before an admin has approved it."
      actions={<Button command="servers.list">Leave it</Button>}
    >
      <Notice title="Its rights">
        A program started here runs with your rights, the desk’s own database included; the desk does not sandbox it.
        Add only what you would run yourself.
      </Notice>
      <Tabs className={styles.form ?? ''}>
        <TabList className={styles.tabs ?? ''} aria-label="How to add it">
          <Tab id="form" className={styles.tab ?? ''}>
            By form
          </Tab>
          <Tab id="paste" className={styles.tab ?? ''}>
            Paste JSON
          </Tab>
        </TabList>
        <TabPanel id="form">
          <ByForm busy={busy} add={(read) => void add(read)} />
        </TabPanel>
        <TabPanel id="paste">
          <ByPaste busy={busy} add={(read) => void add(read)} />
        </TabPanel>
      </Tabs>
      {failed !== null && (
        <Notice title="Not added" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
    </Page>
  );
}

interface WayProps {
  busy: boolean;
  add: (read: () => ServerConfig[]) => void;
}

function ByForm({ busy, add }: WayProps) {
  const [kind, setKind] = useState('stdio');
  const [text, setText] = useState({ prefix: '', command: '', args: '', env: '', secrets: '', url: '' });
  const [rights, setRights] = useState({ trusted: false, system_of_record: false });
  const set = (name: keyof typeof text) => (value: string) => setText((old) => ({ ...old, [name]: value }));
  const program = kind === 'stdio';
  const ready = !busy && text.prefix !== '' && (program ? text.command !== '' : text.url !== '');
  return (
    <>
      <Field
        label="Prefix"
        help="Goes before each of its tools: 1–32 letters, digits, _ or -."
        value={text.prefix}
        onChange={set('prefix')}
        required
        mono
      />
      <RadioGroup className={fields.group ?? ''} value={kind} onChange={setKind}>
        <Label className={fields.label ?? ''}>What it is</Label>
        <OneOf value="stdio">A program on this machine</OneOf>
        <OneOf value="http">An address</OneOf>
      </RadioGroup>
      {program ? (
        <>
          <Field label="Command" value={text.command} onChange={set('command')} required mono placeholder="node" />
          <Field label="Arguments" help="One a line." value={text.args} onChange={set('args')} lines={3} mono />
          <Field
            label="Environment"
            help="One NAME=value a line."
            value={text.env}
            onChange={set('env')}
            lines={3}
            mono
          />
          <Field
            label="Secret names"
            help="Names of those values that are secret, with blanks between. A change of them asks nobody to approve again."
            value={text.secrets}
            onChange={set('secrets')}
            mono
          />
        </>
      ) : (
        <Field
          label="Address"
          value={text.url}
          onChange={set('url')}
          required
          mono
          placeholder="https://example.com/mcp"
        />
      )}
      <Tick on={rights.system_of_record} set={(system_of_record) => setRights((old) => ({ ...old, system_of_record }))}>
        System of record: what it reports backs claims of drafts
      </Tick>
      <Tick on={rights.trusted} set={(trusted) => setRights((old) => ({ ...old, trusted }))}>
        Trusted: its resources may be attached to what the model reads
      </Tick>
      <p className={styles.actions}>
        <Button look="primary" disabled={!ready} onPress={() => add(() => [fromForm(kind, text, rights)])}>
          {busy ? 'Adding…' : 'Add the server'}
        </Button>
      </p>
    </>
  );
}

function fromForm(
  kind: string,
  text: Record<'prefix' | 'command' | 'args' | 'env' | 'secrets' | 'url', string>,
  rights: { trusted: boolean; system_of_record: boolean },
): ServerConfig {
  const lines = (of: string) => of.split('\n').filter((line) => line !== '');
  const bad = lines(text.env).find((line) => !/^[^=\s]+=/.test(line));
  if (bad !== undefined) throw new Failure('servers.form', `“${bad}” is no NAME=value. Nothing was added.`);
  const env = Object.fromEntries(
    lines(text.env).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const secrets = text.secrets.split(/[\s,]+/).filter((name) => name !== '');
  const parsed = serverConfig.safeParse({
    prefix: text.prefix,
    ...rights,
    ...(kind === 'stdio'
      ? { kind, command: text.command, args: lines(text.args), env, secrets }
      : { kind: 'http', url: text.url }),
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('/')}: ${message}`);
  throw new Failure('servers.form', `${problems.join('; ')}. Nothing was added.`);
}

const example = '{"mcpServers": {"mine": {"command": "node", "args": ["server.js"]}}}';

function ByPaste({ busy, add }: WayProps) {
  const [text, setText] = useState('');
  return (
    <>
      <Field
        label="mcpServers JSON"
        help={
          <>
            As other programs keep it: <code>{example}</code>
          </>
        }
        value={text}
        onChange={setText}
        lines={10}
        mono
      />
      <p className={styles.actions}>
        <Button
          look="primary"
          disabled={busy || text.trim() === ''}
          onPress={() => add(() => readServers(text, 'What was pasted'))}
        >
          {busy ? 'Adding…' : 'Add what is pasted'}
        </Button>
      </p>
    </>
  );
}
