// From a clock in a time zone to the instant it showed.
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether the runtime knows a zone of that name. */
export function isZone(name: string): boolean {
  try {
    format(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * ISO 8601 UTC. `zone`: `Z`, `UTC`, `GMT`, an offset like `+02:00`, or an IANA name. Null where no clock showed that: a day
 * that does not exist, an hour left out in spring. Of the hour that comes twice in autumn it is the first.
 */
export function instantOf(local: LocalTime, zone: string): string | null {
  const { year, month, day, hour, minute, second } = local;
  if (year < 1970 || year > 9999) return null;
  const as = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const same =
    as.getUTCMonth() === month - 1 &&
    as.getUTCDate() === day &&
    as.getUTCHours() === hour &&
    as.getUTCMinutes() === minute &&
    as.getUTCSeconds() === second;
  if (!same) return null;
  const wanted = as.getTime();
  const fixed = fixedOffset(zone);
  const offsets = fixed === null ? [offsetAt(wanted - 86_400_000, zone), offsetAt(wanted + 86_400_000, zone)] : [fixed];
  // The larger offset is the earlier instant.
  for (const offset of offsets.sort((a, b) => b - a)) {
    const instant = wanted - offset;
    if (instant < 0) continue;
    if (fixed !== null || offsetAt(instant, zone) === offset) return new Date(instant).toISOString();
  }
  return null;
}

/** Milliseconds; null for a named zone. */
function fixedOffset(zone: string): number | null {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 0;
  const found = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (found === null) return null;
  const [, sign, hours, minutes] = found;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    format(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

function format(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}
