// The text of a draft with its claims: underlined, numbered with the call that backs them, linked to it. What nothing backs is
// amber and dashed, with a question mark.
import type { Claim } from '../../shared/runs.ts';
import { light, useHot } from '../calls/hot.ts';
import { cx } from '../classes.ts';
import { drawn, spelled } from '../parts/Foreign.tsx';
import { Hidden } from '../parts/Hidden.tsx';
import styles from './Claims.module.css';
import { isBacked, segmentsOf, signOf } from './claims.ts';

interface Props {
  text: string;
  claims: readonly Claim[];
  /** Goes to the call in the log. */
  follow: (call: number) => void;
  /** What a claim rests on, said where the reader looks. */
  explain: (claim: Claim | null) => void;
}

export function Claims({ text, claims, follow, explain }: Props) {
  return (
    <div className={styles.text} dir="auto" data-draft="">
      {segmentsOf(text, claims).map((segment, index) =>
        segment.claim === null ? (
          <span key={index}>{drawn(segment.text)}</span>
        ) : (
          <ClaimLink key={index} claim={segment.claim} text={segment.text} {...{ follow, explain }} />
        ),
      )}
    </div>
  );
}

function ClaimLink({ claim, text, follow, explain }: Omit<Props, 'claims'> & { claim: Claim }) {
  const hot = useHot((state) => claim.call !== undefined && state.call === claim.call);
  const call = claim.call ?? null;
  const on = () => {
    light(call, claim.field ?? null);
    explain(claim);
  };
  const off = () => {
    light(null);
    explain(null);
  };
  return (
    <a
      className={cx(styles.claim, hot && styles.hot, isBacked(claim) ? null : styles.bad)}
      href={`#call-${call ?? 'none'}`}
      data-claim={claim.verdict}
      title={spelled(claim.why)}
      onClick={(event) => {
        event.preventDefault();
        if (call !== null) follow(call);
      }}
      onMouseEnter={on}
      onMouseLeave={off}
      onFocus={on}
      onBlur={off}
    >
      {drawn(text)}
      <sup aria-hidden="true">{signOf(claim)}</sup>
      <Hidden>{isBacked(claim) ? `, backed${call === null ? '' : ` by call ${call}`}` : `, ${claim.verdict}`}</Hidden>
    </a>
  );
}
