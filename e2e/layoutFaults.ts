// What is wrong with how a page is laid out, whatever it shows: run in the page.
/** A sentence each: a pane wider or longer than it shows, words in no width, a page that scrolls as a whole. */
export function layoutFaults(): string[] {
  const name = (pane: HTMLElement) => pane.getAttribute('aria-label') ?? pane.className;
  const panes = 'main section, main aside, main header, main footer, [role=region], [role=dialog], [role=listbox], nav';
  const wide = [...document.querySelectorAll<HTMLElement>(panes)].filter(
    (pane) =>
      pane.scrollWidth > pane.clientWidth + 1 &&
      pane.clientWidth > 0 &&
      // A table that is wider than its box scrolls in it.
      pane.querySelector(':scope > table') === null,
  );
  const tall = [...document.querySelectorAll<HTMLElement>('main section, main aside, nav')].filter(
    (pane) => pane.scrollHeight > pane.clientHeight + 1 && getComputedStyle(pane).overflowY === 'visible',
  );
  // Words nobody can read: a column that was given no width. What only a screen reader is told is one pixel wide on purpose.
  const told = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).position === 'absolute' || told(element.parentElement));
  const squeezed = [...document.querySelectorAll<HTMLElement>('dd, dt, p, span, bdi')].filter(
    (one) => one.textContent.trim().length > 3 && one.offsetWidth < 8 && one.offsetParent !== null && !told(one),
  );
  const screen = document.documentElement;
  return [
    ...wide.map((pane) => `widened ${name(pane)} by ${pane.scrollWidth - pane.clientWidth}`),
    ...tall.map((pane) => `${name(pane)} is longer than it shows`),
    ...squeezed.map((one) => `squeezed ${one.textContent.slice(0, 80)}`),
    ...(screen.scrollWidth > innerWidth ? [`widened the page by ${screen.scrollWidth - innerWidth}`] : []),
    ...(screen.scrollHeight > innerHeight ? ['the page scrolls'] : []),
    ...(screen.scrollTop + document.body.scrollTop > 0 ? ['the page is scrolled'] : []),
  ];
}
