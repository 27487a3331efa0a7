// The call and the field that light up together with the claim under the pointer or the focus.
import { create } from 'zustand';

interface Hot {
  call: number | null;
  /** JSON pointer into the result. */
  field: string | null;
}
export const useHot = create<Hot>(() => ({ call: null, field: null }));

export function light(call: number | null, field: string | null = null): void {
  useHot.setState({ call, field });
}
