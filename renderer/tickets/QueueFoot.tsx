// The foot of the queue: what the desk runs on, what can be done with the marked tickets, or what was done last and how it is
// taken back.
import type { ModelRow } from '../../shared/models.ts';
import { useAsked } from '../asked.ts';
import { percentOf, useDownloads } from '../models/downloads.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { takeBack, useActed } from './actions.ts';
import { useDrafting } from './drafting.ts';
import { queue, useQueue } from './store.ts';
import styles from './QueueFoot.module.css';

export function QueueFoot() {
  const marked = useQueue((state) => state.marked.size);
  const acted = useActed((state) => state.acted);
  useCommand('tickets.takeBack', () => void takeBack(), acted !== null);
  if (marked > 0) return <Marked count={marked} />;
  return acted === null ? <Running /> : <ActedOn words={acted.words} />;
}

function ActedOn({ words }: { words: string }) {
  return (
    <div className={styles.marked} role="group" aria-label="Done last">
      <b>{words}</b>
      <span className={styles.grow} />
      <Button look="quiet" command="tickets.takeBack">
        Undo
      </Button>
    </div>
  );
}

function Marked({ count }: { count: number }) {
  return (
    <div className={styles.marked} role="group" aria-label="Marked tickets">
      <b>{count} marked</b>
      <span className={styles.grow} />
      <Button look="quiet" command="tickets.take">
        Take
      </Button>
      <Button look="quiet" command="tickets.draft">
        Draft
      </Button>
      <Button look="quiet" command="tickets.done">
        Done
      </Button>
      <Button look="quiet" onPress={() => queue.unmark()} label="Unmark all">
        ×
      </Button>
    </div>
  );
}

function Running() {
  const servers = useAsked('servers.list', {}, { follow: ['servers'], patient: true }).value;
  const models = useAsked('models.list', {}, { follow: ['models'] }).value;
  const busy = useDrafting(({ asked }) => asked.size);
  const preparing = useDrafting((state) => state.preparing);
  const ready = servers?.filter(({ state }) => state === 'ready').length ?? 0;
  const wanted = servers?.filter(({ state }) => state !== 'disabled').length ?? 0;
  const model = models?.find((one) => one.in_use) ?? models?.find((one) => one.role === 'starter');
  return (
    <div className={styles.running}>
      {servers !== undefined && (
        <span className={ready < wanted ? styles.look : undefined}>
          <i className={styles.dot} />
          {ready === wanted ? `${ready} ${ready === 1 ? 'server' : 'servers'}` : `${ready} of ${wanted} servers`}
        </span>
      )}
      {models !== undefined && (
        <span className={styles.model}>
          {model?.present === true ? model.name : <Missing models={models} />}
          {preparing ? ', getting ready' : busy > 0 ? `, ${busy} to draft` : ''}
        </span>
      )}
    </div>
  );
}

/** No model yet: one that is on its way says how far. */
function Missing({ models }: { models: ModelRow[] }) {
  const live = useDownloads((all) => all);
  const coming = models.find(({ getting }) => getting !== null);
  const news = coming === undefined ? undefined : (live[coming.name] ?? coming.getting);
  if (news != null) return <>The model is being fetched, {percentOf(news)} %</>;
  return models.some(({ part, present }) => part > 0 && !present)
    ? 'The model is fetched in part'
    : 'No model on this machine yet';
}
