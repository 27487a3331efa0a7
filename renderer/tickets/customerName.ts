// What a customer is called where people read: the name the source gave, else the ID or address it is known by.
interface Known {
  customer: string | null;
  customer_name: string | null;
}

export function customerName({ customer, customer_name }: Known, otherwise = 'No customer'): string {
  return customer_name ?? customer ?? otherwise;
}
