/** Amounts as the shop writes them (24.99) and as one can reckon with them (2499). */
export function cents(amount: string): number {
  const [whole = '', part = ''] = amount.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

export function money(value: number): string {
  return `${String(Math.trunc(value / 100))}.${String(value % 100).padStart(2, '0')}`;
}
