/** A sample ticket as it is written here: the customer's words, and what scoring must know about them. */
type Kind = 'check_stock' | 'find_orders' | 'get_order_status' | 'quote_refund' | 'issue_refund';

export interface Written {
  id: string;
  kind: Kind;
  customer: string;
  channel: string;
  subject: string;
  body: string;
  /** The order the customer means, and how the text writes it. */
  order?: string;
  written?: string;
  mistyped?: boolean;
  refund?: { amount: string; reason: string; lines?: readonly string[]; due?: boolean };
  /** Instructions aimed at an agent, appended to the body. */
  addition?: string;
}
