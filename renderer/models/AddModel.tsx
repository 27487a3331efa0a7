// A model file that is on this machine already.
import { useEffect, useRef, useState } from 'react';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { Page, type PageHandle } from '../parts/Page.tsx';
import { desk } from '../session.ts';
import servers from '../servers/Servers.module.css';

interface Props {
  page: React.RefObject<PageHandle | null>;
  onDone: (name: string | null) => void;
}

export function AddModel({ page, onDone }: Props) {
  const [file, setFile] = useState('');
  const { busy, failed, run } = useDoing();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  useCommand('models.list', () => onDone(null));
  async function add(): Promise<void> {
    const row = await run(() => desk.ask('models.add', { file: file.trim() }));
    if (row === undefined) return;
    announce(`${row.name} is known and in use.`);
    onDone(row.name);
  }
  return (
    <Page
      handle={page}
      title="Add a model file"
      sub="A GGUF file on this machine. It stays where it is, and is in use from then on."
      actions={<Button command="models.list">Leave it</Button>}
    >
      <div className={servers.form}>
        <Field
          label="File"
          help="Its whole path."
          value={file}
          onChange={setFile}
          inputRef={first}
          required
          mono
          placeholder="/models/mine.gguf"
          wrong={failed?.message ?? null}
        />
        <Button look="primary" disabled={busy || file.trim() === ''} onPress={() => void add()}>
          {busy ? 'Adding…' : 'Add and use it'}
        </Button>
      </div>
    </Page>
  );
}
