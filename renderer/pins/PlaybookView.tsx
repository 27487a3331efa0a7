// The playbook's file says something else than what is in force: the same decision as on a tool.
import type { PlaybookWaiting } from '../../shared/pins.ts';
import { useDoing } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import { desk } from '../session.ts';
import { changeSentence } from './changeWords.ts';
import { Decide } from './Decide.tsx';
import { Difference } from './Difference.tsx';

interface Props {
  waiting: PlaybookWaiting;
  page: React.RefObject<PageHandle | null>;
  decided: () => void;
}
const stands: Record<PlaybookWaiting['status'], string> = {
  changed: 'its file changed · the one approved before it is in force until an admin decides',
  refused: 'its file was refused · the one approved before it is in force',
  approved: 'its file is approved · in force from the next start of the desk',
};

export function PlaybookView({ waiting: { hash, status, difference }, page, decided }: Props) {
  const { busy, failed, run } = useDoing();
  async function decide(decision: 'approved' | 'refused', why: string | null): Promise<void> {
    if ((await run(() => desk.ask('playbook.decide', { hash, decision, why }))) === undefined) return;
    announce(`The playbook is ${decision}.`);
    decided();
  }
  return (
    <Page handle={page} title="Playbook" sub={stands[status]}>
      {status === 'changed' && (
        <Notice title="What changed">
          <p>{changeSentence(difference)}</p>
          <p>If approved, drafts that wait for a person are worked again by the new one when they go on.</p>
        </Notice>
      )}
      {status === 'approved' && (
        <Notice title="Approved" look="plain">
          It is in force from the next start of the desk. Drafts that wait for a person are then worked again by it.
        </Notice>
      )}
      {status === 'refused' && (
        <Notice title="Refused" look="plain">
          The one approved before it stays in force. Nothing else is asked until the file changes again.
        </Notice>
      )}
      <Difference fields={difference} before="In force" after="In the file" />
      <Decide
        key={status}
        stands={status === 'changed' ? 'open' : status}
        busy={busy}
        failed={failed}
        decide={(what, why) => void decide(what, why)}
      />
    </Page>
  );
}
