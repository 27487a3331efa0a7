// The playbook's file says something else than what is in force: the same decision as on a tool.
import type { ValueOf } from '../../shared/contract.ts';
import { useState } from 'react';
import { useDoing } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import { desk } from '../session.ts';
import { changeSentence } from './changeWords.ts';
import { Decide } from './Decide.tsx';
import { Difference } from './Difference.tsx';

interface Props {
  waiting: NonNullable<ValueOf<'playbook.waiting'>>;
  page: React.RefObject<PageHandle | null>;
}

export function PlaybookView({ waiting: { hash, status, difference }, page }: Props) {
  const { busy, failed, run } = useDoing();
  const [said, setSaid] = useState<'approved' | 'refused' | null>(null);
  async function decide(decision: 'approved' | 'refused', why: string | null): Promise<void> {
    if ((await run(() => desk.ask('playbook.decide', { hash, decision, why }))) === undefined) return;
    setSaid(decision);
    announce(`The playbook is ${decision}.`);
  }
  return (
    <Page
      handle={page}
      title="Playbook"
      sub={`${status === 'refused' ? 'the file was refused' : 'the file changed'}; the one approved before it is in force`}
    >
      {said === null ? (
        <Notice title="What changed">{changeSentence(difference)}</Notice>
      ) : (
        <Notice title={said === 'approved' ? 'Approved' : 'Refused'} look="plain">
          {said === 'approved'
            ? 'It is in force from the next start of the desk.'
            : 'The one approved before it stays in force.'}
        </Notice>
      )}
      <Difference fields={difference} before="In force" after="In the file" />
      {said === null && (
        <Decide
          stands={status === 'refused' ? 'refused' : 'open'}
          busy={busy}
          failed={failed}
          decide={(what, why) => void decide(what, why)}
        />
      )}
    </Page>
  );
}
