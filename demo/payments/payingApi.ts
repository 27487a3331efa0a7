/** The payments server's line to the shop's API: reading a refund and marking it paid. */
import { z } from 'zod';
import { createLine } from '../apiLine.ts';

const refund = z.object({ refund_id: z.string(), order_id: z.string(), amount: z.string(), status: z.string() });
export type PayableRefund = z.infer<typeof refund>;

interface PayingApi {
  refund(id: string): Promise<PayableRefund | undefined>;
  /** Undefined when the refund is not to be paid any more. */
  pay(id: string): Promise<PayableRefund | undefined>;
}

export type PayingApiFor = (signal: AbortSignal) => PayingApi;

export function createPayingApi(url: string, key: string): PayingApiFor {
  return (signal) => {
    const { ask, post } = createLine(url, key, signal);
    return {
      refund: (id) => ask(refund, `/refunds/${encodeURIComponent(id)}`),
      pay: async (id) => {
        const { status, body } = await post(`/refunds/${encodeURIComponent(id)}/pay`, {});
        return status === 409 ? undefined : refund.parse(body);
      },
    };
  };
}
