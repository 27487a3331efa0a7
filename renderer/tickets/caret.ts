// Where somebody goes on typing: at the end of what stands there.
export function caretAtEnd(area: HTMLTextAreaElement | null): void {
  area?.setSelectionRange(area.value.length, area.value.length);
}
