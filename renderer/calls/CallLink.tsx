// The number of the call a fact stands in: shows it in the log, and lights it while it is pointed at.
import { light } from './hot.ts';
import { reveal } from './reveal.ts';

export function CallLink({ call, field }: { call: number; field?: string }) {
  return (
    <a
      href={`#call-${call}`}
      aria-label={`from call ${call}`}
      onClick={(event) => {
        event.preventDefault();
        reveal(call);
      }}
      onMouseEnter={() => light(call, field)}
      onMouseLeave={() => light(null)}
    >
      {call}
    </a>
  );
}
