// Adding a server: by a form, or by pasting the JSON people already have for other programs.
import { useEffect, useRef, useState } from 'react';
import { Label, RadioGroup, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Failure } from '../../shared/failures.ts';
import { looksSecret } from '../../shared/serverFile.ts';
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
import { PasteServers } from './PasteServers.tsx';
import styles from './Servers.module.css';

interface Props {
  page: React.RefObject<PageHandle | null>;
  taken: string[];
  /** The first server that was added; null where the person left it. */
  onDone: (prefix: string | null) => void;
}

export function AddServer({ page, taken, onDone }: Props) {
  const { busy, failed, run } = useDoing();
  const arrived = useRef(false);
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
          <ByForm busy={busy} add={(read) => void add(read)} arrived={arrived} />
        </TabPanel>
        <TabPanel id="paste">
          <PasteServers busy={busy} taken={taken} add={(read) => void add(read)} />
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
type Texts = Record<'prefix' | 'command' | 'args' | 'env' | 'url' | 'headers', string>;
type Rights = Pick<ServerConfig, 'trusted' | 'system_of_record'>;

function ByForm({ busy, add, arrived }: WayProps & { arrived: React.RefObject<boolean> }) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Only once: whoever goes from tab to tab stays there.
    if (!arrived.current) first.current?.focus();
    arrived.current = true;
  }, [arrived]);
  const [kind, setKind] = useState<ServerConfig['kind']>('stdio');
  const [text, setText] = useState<Texts>({ prefix: '', command: '', args: '', env: '', url: '', headers: '' });
  /** Values that are typed hidden, by their names: those that stand alone among the variables or headers. */
  const [hidden, setHidden] = useState<Record<string, string>>({});
  const [rights, setRights] = useState<Rights>({ trusted: false, system_of_record: false });
  const set = (name: keyof Texts) => (value: string) => setText((old) => ({ ...old, [name]: value }));
  const program = kind === 'stdio';
  const alone = namesAlone(program ? text.env : text.headers);
  const ready = !busy && text.prefix !== '' && (program ? text.command !== '' : text.url !== '');
  return (
    <>
      <Field
        label="Prefix"
        help="Goes before each of its tools: 1–32 letters, digits, _ or -."
        value={text.prefix}
        onChange={set('prefix')}
        inputRef={first}
        required
        mono
      />
      <RadioGroup
        className={fields.group ?? ''}
        value={kind}
        onChange={(value) => setKind(value === 'http' ? 'http' : 'stdio')}
      >
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
            help="One NAME=value a line. A name alone is a secret: its value is asked for below and kept apart."
            value={text.env}
            onChange={set('env')}
            lines={3}
            mono
          />
        </>
      ) : (
        <>
          <Field
            label="Address"
            value={text.url}
            onChange={set('url')}
            required
            mono
            placeholder="https://example.com/mcp"
          />
          <Field
            label="Headers"
            help="One Name=value a line, sent with every request. A name alone is a secret: its value is asked for below and kept apart."
            value={text.headers}
            onChange={set('headers')}
            lines={2}
            mono
          />
        </>
      )}
      {alone.map((name) => (
        <Field
          key={name}
          label={name}
          type="password"
          value={hidden[name] ?? ''}
          onChange={(value) => setHidden((old) => ({ ...old, [name]: value }))}
          required
          mono
        />
      ))}
      <Tick on={rights.system_of_record} set={(system_of_record) => setRights((old) => ({ ...old, system_of_record }))}>
        System of record: what it reports backs claims of drafts
      </Tick>
      <Tick on={rights.trusted} set={(trusted) => setRights((old) => ({ ...old, trusted }))}>
        Trusted: its resources may be attached to what the model reads
      </Tick>
      <p className={styles.actions}>
        <Button look="primary" disabled={!ready} onPress={() => add(() => [fromForm(kind, text, { hidden, rights })])}>
          {busy ? 'Adding…' : 'Add the server'}
        </Button>
      </p>
    </>
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
function namesAlone(text: string): string[] {
  const names = linesOf(text).map((line) => line.trim());
  return [...new Set(names.filter((line) => /^[\w-]+$/.test(line)))];
}

function fromForm(
  kind: ServerConfig['kind'],
  text: Texts,
  { hidden, rights }: { hidden: Record<string, string>; rights: Rights },
): ServerConfig {
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const line of linesOf(kind === 'stdio' ? text.env : text.headers)) {
    const [, name, value] = /^\s*([\w-]+)\s*(?:=(.*))?$/.exec(line) ?? [];
    if (name === undefined)
      throw new Failure('servers.form', `“${line}” is neither a name nor NAME=value. Nothing was added.`);
    const given = value ?? hidden[name] ?? '';
    if (given === '' && value === undefined)
      throw new Failure('servers.form', `${name} has no value yet. Nothing was added.`);
    values[name] = given;
    if (value === undefined || looksSecret(name)) secrets.push(name);
  }
  const parsed = serverConfig.safeParse({
    prefix: text.prefix,
    ...rights,
    ...{ kind, secrets },
    ...(kind === 'stdio'
      ? { command: text.command, args: linesOf(text.args), env: values }
      : { url: text.url, headers: values }),
  });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('/')}: ${message}`);
  throw new Failure('servers.form', `${problems.join('; ')}. Nothing was added.`);
}
