// The one channel between preload and main process.
export const doorName = 'desk-line';
