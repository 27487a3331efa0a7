// One question of a server: its own form or address, filled in, looked over, then accepted, declined or cancelled.
import { useEffect, useRef, useState } from 'react';
import type { ValueOf } from '../../shared/contract.ts';
import type { Form, FieldProblem } from '../../shared/forms.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Role } from '../../shared/people.ts';
import type { Question, QuestionAnswer } from '../../shared/questions.ts';
import { useDoing } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { showSide, useNarrow } from '../frame/side.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { Notice, Page, type PageHandle } from '../parts/Page.tsx';
import { Time } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { desk, useMay, useMe } from '../session.ts';
import { Address } from './Address.tsx';
import { CallFacts } from './CallFacts.tsx';
import { toolWords } from './callWords.ts';
import styles from './Card.module.css';
import { close } from './closed.ts';
import { answerOf, answerWords, contentOf } from './filled.ts';
import { FormFields } from './FormFields.tsx';
import type { Waiting } from './inbox.ts';
import { fillIn, forget, useFilled } from './typed.ts';

type Action = QuestionAnswer['action'];
const verbs: Record<Action, string> = { accept: 'Accept', decline: 'Decline', cancel: 'Cancel' };

type Asked = Waiting & { kind: 'question' };

export function QuestionView({ item, page }: { item: Asked; page: React.RefObject<PageHandle | null> }) {
  const { entry, about, title } = item;
  const { question, call } = entry;
  const narrow = useNarrow();
  const sent = useRef(false);
  const [done, setDone] = useState<ValueOf<'questions.answer'> | null>(null);
  const elsewhere = useElsewhere(question.id, sent);
  return (
    <Page
      handle={page}
      title={title}
      sub={
        <>
          Asked by <b>{drawn(call.prefix)}</b> during “{drawn(toolWords(call, about))}”
          {call.ticket !== '' && (
            <>
              {' '}
              for <code>{drawn(call.ticket)}</code>
            </>
          )}
          , <Time at={question.asked_at} ago />
          {question.pushed ? '; only while the desk runs' : '; safe to leave'}
        </>
      }
      actions={narrow && call.ticket !== '' ? <Button onPress={() => showSide(true)}>Ticket</Button> : undefined}
    >
      {done !== null ? (
        <Done {...done} />
      ) : elsewhere !== null ? (
        <AnsweredElsewhere question={elsewhere} />
      ) : (
        <Card item={item} sent={sent} onDone={setDone} />
      )}
    </Page>
  );
}

/** The question as somebody else, or its end, left it while it was open here. */
function useElsewhere(id: string, sent: React.RefObject<boolean>): Question | null {
  const [other, setOther] = useState<Question | null>(null);
  useEffect(
    () =>
      desk.follow('questions', {
        list: () => undefined,
        change(change) {
          if (change.id !== id || sent.current || !('entity' in change) || change.entity.state === 'open') return;
          setOther(change.entity);
          announce('This question was answered by somebody else.', 'urgent');
        },
      }),
    [id, sent],
  );
  return other;
}

interface CardProps {
  item: Asked;
  sent: React.RefObject<boolean>;
  onDone: (value: ValueOf<'questions.answer'>) => void;
}

function Card({ item, sent, onDone }: CardProps) {
  const { question, call, form, visitor } = item.entry;
  const others = useMe(({ person }) => visitor !== undefined && visitor !== person?.id);
  /** Who acts may have changed since it was opened. */
  const able = useMay(question.role);
  const filled = useFilled(question.id);
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [reviewed, setReviewed] = useState<{ action: Action; content: JsonObject } | null>(null);
  const { busy, failed, clear, run } = useDoing();
  const box = useRef<HTMLDivElement>(null);

  function begin(action: Action): void {
    clear();
    const checked =
      action === 'accept' && form.kind === 'form' ? answerOf(form, filled) : { ok: true as const, content: {} };
    if (checked.ok) setReviewed({ action, content: checked.content });
    else refuse(checked.problems);
  }
  /** Each reason stands at its field, and the keyboard is in the first of them. */
  function refuse(wrong: FieldProblem[]): void {
    setReviewed(null);
    setProblems(wrong);
    announce(`${wrong.length} to put right: ${wrong.map(({ field }) => field).join(', ')}`, 'urgent');
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>('[data-invalid] :is(input, textarea, button)')?.focus(),
    );
  }
  async function send(): Promise<void> {
    if (reviewed === null) return;
    const { action } = reviewed;
    sent.current = true;
    // As it was filled in: the host takes the same defaults, and a cleared field as null without one.
    const answer =
      action === 'accept' && form.kind === 'form' ? { action, content: contentOf(form, filled) } : { action };
    const value = await run(() => desk.ask('questions.answer', { id: question.id, ...answer }, { deadline: null }));
    if (value === undefined) sent.current = false;
    else {
      forget(question.id);
      close(question.id);
      onDone(value);
    }
  }
  // The host has the last word on a form.
  useEffect(() => {
    if (failed?.code === 'questions.invalid') refuse(problemsIn(failed.data));
  }, [failed]);
  useEffect(() => {
    if (!able) setReviewed(null);
  }, [able]);
  const fillable = form.kind !== 'refused' && !others;
  useCommand(
    'questions.accept',
    () => (reviewed === null ? begin('accept') : void send()),
    able && (fillable || reviewed !== null),
  );
  useCommand('questions.decline', () => begin('decline'), able && reviewed === null);
  useCommand('questions.cancel', () => begin('cancel'), able && reviewed === null);
  useCommand('inbox.list', () => setReviewed(null), reviewed !== null && !busy);
  const other = failed?.code === 'questions.answered' ? questionIn(failed.data) : null;
  if (other !== null) return <AnsweredElsewhere question={other} />;
  return (
    <div className={styles.card} ref={box}>
      <CallFacts call={call} about={item.about} />
      {'message' in form && (
        <div className={styles.asks}>
          <h3>{drawn(call.prefix)} asks</h3>
          <Foreign as="p" text={form.message} className={styles.message} />
        </div>
      )}
      {!able ? (
        <NotYours role={question.role} />
      ) : reviewed === null ? (
        <div className={styles.body}>
          {others && <OthersPage of={visitor ?? ''} />}
          <Asks
            id={question.id}
            form={form}
            others={others}
            filled={filled}
            problems={problems}
            fill={(name, value) => {
              fillIn(question.id, name, value);
              setProblems((old) => old.filter(({ field }) => field !== name));
            }}
          />
          {question.finished === true && <FinishedThere />}
        </div>
      ) : (
        <Review form={form} {...reviewed} />
      )}
      {able && (
        <footer className={styles.foot}>
          {reviewed === null ? (
            <>
              {fillable && (
                <Button look="primary" command="questions.accept">
                  Accept
                </Button>
              )}
              <Button command="questions.decline">Decline</Button>
              <Button look="quiet" command="questions.cancel">
                Cancel
              </Button>
              <p className={styles.small}>{smallPrint(form, fillable)}</p>
            </>
          ) : (
            <>
              <Button look="primary" command="questions.accept" disabled={busy}>
                {busy ? 'Sending…' : `Send: ${verbs[reviewed.action]}`}
              </Button>
              <Button command="inbox.list" disabled={busy} onPress={() => setReviewed(null)}>
                Change it
              </Button>
              <p className={styles.small} role="status">
                {busy ? 'The server is told, and the ticket goes on. This may take a while.' : 'Nothing was sent yet.'}
              </p>
            </>
          )}
          {failed !== null && <Foreign as="p" text={failed.message} className={styles.wrong} />}
        </footer>
      )}
    </div>
  );
}

const roleWords: Record<Role, string> = { staff: 'Somebody of the staff', lead: 'A lead', admin: 'An admin' };

function NotYours({ role }: { role: Role }) {
  return (
    <Notice title="Not yours to answer" look="plain">
      {roleWords[role]} answers this. You can read it; it goes on waiting for them.
    </Notice>
  );
}

/** Beside the question, which still waits for a person's word. */
function FinishedThere() {
  const words = 'The server says it is finished there.';
  useEffect(() => announce(words), []);
  return <p className={styles.lead}>{words}</p>;
}

/** The server was told for whom the call is made, and lets nobody else finish its page. */
function OthersPage({ of }: { of: string }) {
  const who = usePeople()(of);
  return (
    <Notice title="Somebody else’s page">
      It is for <Foreign as="b" text={who} />, for whom this call is made: the server lets nobody else finish it. Leave
      it to them, or decline and have the call made anew.
    </Notice>
  );
}

function smallPrint(form: Form, fillable: boolean): string {
  if (!fillable) return 'Decline says no. Cancel gives no answer: the server decides what that means.';
  const accept =
    form.kind === 'url' ? 'Accept tells the server you agree to go there.' : 'Accept sends the form as filled in.';
  return `${accept} Decline says no. Cancel gives no answer.`;
}

function Asks({
  id,
  form,
  others,
  ...rest
}: { id: string; form: Form; others: boolean } & Omit<React.ComponentProps<typeof FormFields>, 'fields'>) {
  if (form.kind === 'refused')
    return (
      <Notice title="Not put to anyone" look="danger">
        <Foreign text={form.why} />
      </Notice>
    );
  if (form.kind === 'url') return <Address id={id} form={form} others={others} />;
  if (form.fields.length === 0) return <p className={styles.small}>There is nothing to fill in: accept or decline.</p>;
  return <FormFields fields={form.fields} {...rest} />;
}

function Review({ form, action, content }: { form: Form; action: Action; content: JsonObject }) {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <div className={styles.review} ref={head} tabIndex={-1} role="group" aria-label="What would be sent">
      <p className={styles.lead}>
        {action === 'accept'
          ? form.kind === 'url'
            ? 'The server is told that you agree to go there.'
            : 'This is sent:'
          : action === 'decline'
            ? 'The server is told no. Nothing that was filled in is sent.'
            : 'The server gets no answer. Nothing that was filled in is sent.'}
      </p>
      {action === 'accept' && form.kind === 'form' && (
        <dl>
          {form.fields.map((field) => (
            <div key={field.name} className={styles.step}>
              <dt>
                <Foreign text={field.title ?? field.name} />:
              </dt>
              <dd>
                <Foreign
                  as="b"
                  text={answerWords(field, Object.hasOwn(content, field.name) ? content[field.name] : undefined)}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function Done({ call, run }: ValueOf<'questions.answer'>) {
  const words =
    run !== null
      ? `The ticket went on: ${run.state}. ${run.why}`
      : call.state === 'asked'
        ? 'Other questions of the same call still wait.'
        : call.state === 'answered'
          ? `The answer is kept and not sent yet. It is sent when ${call.prefix} runs again.`
          : call.run === ''
            ? (call.text ?? call.detail ?? call.state)
            : 'The desk that works the ticket goes on with it.';
  useEffect(() => announce('Answered.'), []);
  return (
    <Notice title="Answered" look="plain">
      <Foreign text={words} />
    </Notice>
  );
}

const said: Record<Action, string> = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' };

function AnsweredElsewhere({ question }: { question: Question }) {
  const who = usePeople()(question.by);
  return (
    <Notice title="Not open any more">
      {question.answer === null ? (
        'Its call ended meanwhile. Nothing was sent by you.'
      ) : (
        <>
          <Foreign text={who} /> {said[question.answer.action]} it while you had it open. Nothing was sent by you.
        </>
      )}
    </Notice>
  );
}

function questionIn(data: unknown): Question | null {
  // The data of this failure is the question as it stands (main/questions.ts).
  return typeof data === 'object' && data !== null && 'answer' in data ? (data as Question) : null;
}

function problemsIn(data: unknown): FieldProblem[] {
  // The data of this failure is what is wrong in which field (main/questions.ts).
  return Array.isArray(data) ? (data as FieldProblem[]) : [];
}
