// What is attached to the open ticket: a document, a template filled in, or a prompt, which is looked at before it is used.
import { useState } from 'react';
import { Autocomplete, Input, Menu, MenuItem, SearchField, useFilter } from 'react-aria-components';
import type { OfferedPrompt } from '../../shared/attaching.ts';
import type { OpenTicket, TicketRow } from '../../shared/queue.ts';
import { useAsked, useDoing } from '../asked.ts';
import { Over } from '../imports/Over.tsx';
import { announce } from '../parts/announce.ts';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Notice } from '../parts/Page.tsx';
import { Failed, Loading } from '../parts/States.tsx';
import { bytesWords } from '../pins/bytesWords.ts';
import { desk } from '../session.ts';
import styles from './Attaching.module.css';
import { FillIn, type Offer } from './FillIn.tsx';

interface Props {
  ticket: OpenTicket;
  /** Prompts only. */
  prompts: boolean;
  close: () => void;
}
export function AttachDialog({ ticket, prompts, close }: Props) {
  const [picked, setPicked] = useState<Offer | null>(null);
  const { busy, failed, run } = useDoing();
  const at = { id: ticket.id, version: ticket.row.version };
  async function attached(title: string, work: () => Promise<TicketRow>): Promise<void> {
    if ((await run(work)) === undefined) return;
    announce(`Attached: ${title}. The next draft reads it.`);
    close();
  }
  function pick(offer: Offer): void {
    if (offer.kind !== 'document') setPicked(offer);
    else
      void attached(offer.title, () =>
        desk.ask('runs.attach', { ...at, prefix: offer.prefix, uri: offer.name }, { deadline: null }),
      );
  }
  return (
    <Over title={prompts ? 'Use a prompt' : 'Attach to this ticket'} close={close}>
      <p className={styles.says}>
        It is read from its server now, for this ticket only, and the next draft reads it as quoted text from outside.
        It backs no claim. A draft that stands now is retired.
      </p>
      {picked === null ? (
        <Offers prompts={prompts} pick={pick} busy={busy} />
      ) : (
        <FillIn
          key={picked.id}
          offer={picked}
          ticket={ticket.id}
          busy={busy}
          back={() => setPicked(null)}
          attach={(given) =>
            void attached(picked.title, () =>
              desk.ask(
                'runs.attach',
                { ...at, prefix: picked.prefix, template: picked.name, arguments: given },
                { deadline: null },
              ),
            )
          }
          use={(hash) => void attached(picked.title, () => desk.ask('calls.usePrompt', { ...at, hash }))}
        />
      )}
      {failed !== null && (
        <Notice title="Not attached" look="danger">
          <Foreign text={failed.message} />
        </Notice>
      )}
    </Over>
  );
}

function Offers({ prompts, pick, busy }: { prompts: boolean; pick: (offer: Offer) => void; busy: boolean }) {
  const documents = useAsked('runs.attachable', prompts ? null : {}, { follow: ['servers', 'pins'], patient: true });
  const picked = useAsked('calls.prompts', {}, { follow: ['servers', 'pins'], patient: true });
  const { contains } = useFilter({ sensitivity: 'base' });
  const failed = documents.failed ?? picked.failed;
  if (failed !== null) return <Failed what="What can be attached is not known." why={failed} again={picked.again} />;
  if (picked.value === undefined || (!prompts && documents.value === undefined)) return <Loading what="the servers" />;
  const { resources = [], templates = [], problems = [] } = documents.value ?? {};
  const offers: Offer[] = [
    ...templates.map((one): Offer => ({
      ...one,
      id: `template ${one.prefix} ${one.uri}`,
      kind: 'template',
      name: one.uri,
      note: 'to fill in',
      always: false,
    })),
    ...picked.value.map(promptOffer),
    ...resources.map((one): Offer => ({
      ...one,
      id: `document ${one.prefix} ${one.uri}`,
      kind: 'document',
      name: one.uri,
      note: one.always ? 'stands before every draft' : one.bytes === null ? '' : bytesWords(one.bytes),
      description: null,
      blanks: [],
    })),
  ];
  return (
    <>
      <Autocomplete filter={(text, typed) => typed.split(/\s+/).every((word) => contains(text, word))}>
        <SearchField aria-label="Find" autoFocus className={styles.search ?? ''}>
          <Input placeholder="What should the draft know?" className={styles.find ?? ''} />
        </SearchField>
        <div className={styles.offers} tabIndex={0} role="group" aria-label="Found">
          <Menu
            aria-label={prompts ? 'Prompts' : 'Documents, templates and prompts'}
            items={offers}
            disabledKeys={offers.flatMap(({ id, always }) => (always || busy ? [id] : []))}
            renderEmptyState={() => (
              <p className={styles.none}>
                {prompts ? 'No server offers a prompt that an admin approved.' : 'Nothing of that name.'}
              </p>
            )}
            onAction={(id) => {
              const offer = offers.find((one) => one.id === id);
              if (offer !== undefined) pick(offer);
            }}
          >
            {(offer) => (
              <MenuItem
                id={offer.id}
                textValue={`${offer.title}, ${offer.kind} of ${offer.prefix}`}
                className={styles.offer ?? ''}
              >
                <span className={styles.what}>
                  {drawn(offer.title)}
                  <small>
                    {offer.kind} of {offer.prefix}
                  </small>
                </span>
                <span className={styles.size}>{offer.note}</span>
              </MenuItem>
            )}
          </Menu>
        </div>
      </Autocomplete>
      {problems.map((problem) => (
        <Foreign key={problem} as="p" text={problem} className={styles.problem} />
      ))}
    </>
  );
}

function promptOffer(one: OfferedPrompt): Offer {
  return { ...one, id: `prompt ${one.prefix} ${one.name}`, kind: 'prompt', note: 'to fill in', always: false };
}
