// What a run would work, and by which model, before it starts.
import { useEffect, useState } from 'react';
import { Label, RadioGroup } from 'react-aria-components';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { drawn } from '../parts/Foreign.tsx';
import { OneOf } from '../parts/Option.tsx';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import fields from '../questions/FormFields.module.css';
import { workQueue } from './working.ts';

interface Props {
  page: React.RefObject<PageHandle | null>;
  onDone: (started: boolean) => void;
}
const without = 'none';

export function StartRun({ page, onDone }: Props) {
  const [select, setSelect] = useState('open');
  const [model, setModel] = useState<string | null>(null);
  const { value: models = [] } = useAsked('models.list', {});
  const present = models.filter((one) => one.present);
  const used = present.find(({ in_use }) => in_use)?.name ?? without;
  useEffect(() => page.current?.focus(), [page]);
  useCommand('runs.list', () => onDone(false));
  function start(): void {
    void workQueue({ select: select === 'all' ? 'all' : 'open', model: model ?? used });
    onDone(true);
  }
  return (
    <Page
      handle={page}
      title="Work the queue"
      sub="One ticket after the other. What asks a person waits in the inbox; nothing is sent to a customer."
      actions={<Button command="runs.list">Leave it</Button>}
    >
      <RadioGroup className={fields.group ?? ''} value={select} onChange={setSelect}>
        <Label className={fields.label ?? ''}>Tickets</Label>
        <OneOf value="open">Those nobody has worked yet</OneOf>
        <OneOf value="all">The sample’s tickets again, to measure: what still waits from before is withdrawn</OneOf>
      </RadioGroup>
      <RadioGroup className={fields.group ?? ''} value={model ?? used} onChange={setModel}>
        <Label className={fields.label ?? ''}>Model</Label>
        {present.map(({ name, title, in_use }) => (
          <OneOf key={name} value={name}>
            <span>
              {drawn(title ?? name)}
              {in_use ? ', in use' : ''}
            </span>
          </OneOf>
        ))}
        <OneOf value={without}>None: every ticket is left to people</OneOf>
      </RadioGroup>
      {present.length === 0 && (
        <Notice title="No model">
          None is on this disk. Get one under Model; without one, tickets are left to people.
        </Notice>
      )}
      <Button look="primary" onPress={start}>
        Start
      </Button>
    </Page>
  );
}
