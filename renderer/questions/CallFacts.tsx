// What a waiting call would do: the money as its headline, for whom and what, the facts that count with their sources. What
// only programs read is one step away.
import { useState } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
import { textOf } from '../../shared/json.ts';
import type { CallAbout } from '../../shared/questions.ts';
import { cx } from '../classes.ts';
import { drawn } from '../parts/Foreign.tsx';
import { momentWords } from '../parts/Time.tsx';
import { Whole } from '../parts/Whole.tsx';
import { summaryOf, type CallFact } from './about.ts';
import styles from './CallFacts.module.css';
import { originWords } from './callWords.ts';

export function CallFacts({ call, about }: { call: Call; about: CallAbout }) {
  const { amount, subject, facts, details } = summaryOf(call, about);
  const { consented, customer } = about;
  return (
    <>
      {amount !== null && (
        <header className={styles.head}>
          <p className={styles.amount}>{drawn(amount)}</p>
          {(customer !== null || subject !== null) && (
            <p className={styles.whom}>
              {customer !== null && <>to {drawn(customer)}</>}
              {customer !== null && subject !== null && ', '}
              {subject !== null && (
                <>
                  for <code>{drawn(subject)}</code>
                </>
              )}
            </p>
          )}
        </header>
      )}
      <div className={styles.facts}>
        <dl className={styles.list}>
          {amount === null && customer !== null && <Row name="Customer">{drawn(customer)}</Row>}
          {facts.map((fact) => (
            <Row key={`${fact.key}=${fact.value}`} name={drawn(fact.name)}>
              <Whole text={fact.value} className={styles.value} />
              <Source fact={fact} />
            </Row>
          ))}
          {consented !== null && (
            <Row name="Asked for by">
              {drawn(consented.name)}
              {consented.role !== null && `, ${consented.role}`}, {momentWords(consented.at)}
            </Row>
          )}
        </dl>
        <Details call={call} details={details} />
      </div>
    </>
  );
}

function Row({ name, children }: { name: React.ReactNode; children: React.ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Source({ fact: { argument, origin } }: { fact: CallFact }) {
  if (!argument) return null;
  const { words, look } = originWords(origin);
  return <span className={cx(styles.origin, look && styles.look)}>from {words}</span>;
}

/** Wire names, handles, hashes: what is looked up when something is wrong. */
function Details({ call, details }: { call: Call; details: CallFact[] }) {
  const [open, setOpen] = useState(false);
  const behind = details.filter(({ argument, key }) => !argument || !Object.hasOwn(call.arguments, key));
  return (
    <Disclosure isExpanded={open} onExpandedChange={setOpen}>
      <Heading level={3} className={styles.heading ?? ''}>
        <Button slot="trigger" className={styles.fold ?? ''}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> Details
        </Button>
      </Heading>
      <DisclosurePanel>
        {open && (
          <dl className={cx(styles.list, styles.wire)}>
            <Row name="Tool">{drawn(call.tool)}</Row>
            {Object.entries(call.arguments).map(([name, value]) => (
              <Row key={name} name={drawn(name)}>
                <Whole text={textOf(value)} className={styles.value} />
                <span className={styles.origin}>from {originWords(call.origins[`/${name}`]).words}</span>
              </Row>
            ))}
            {behind.map(({ key, value }) => (
              <Row key={`${key}=${value}`} name={drawn(key)}>
                <Whole text={value} className={styles.value} />
              </Row>
            ))}
            <Row name="Call">{drawn(call.id)}</Row>
            <Row name="Consent hash">{call.hash}</Row>
          </dl>
        )}
      </DisclosurePanel>
    </Disclosure>
  );
}
