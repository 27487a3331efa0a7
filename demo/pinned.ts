/** Orders of the sample company that are written by hand: the records tests and tickets name, and all orders of their customers. */
export const statuses = ['placed', 'shipped', 'delivered', 'cancelled', 'returned'] as const;
export type Status = (typeof statuses)[number];

export interface PinnedOrder {
  number: number;
  customer: string;
  status: Status;
  lines: readonly (readonly [sku: string, quantity: number])[];
  /** Days that differ from what the order's number and status would give. */
  placed?: string;
  shipped?: string;
  delivered?: string;
  returned?: string;
}

/** These customers have the orders below and no others. */
export const fullyPinned: readonly string[] = ['C-0085', 'C-0116', 'C-0127', 'C-0129'];
/** The cookery school: exactly a hundred orders. */
export const busiest = 'C-0214';

export const pinnedOrders: readonly PinnedOrder[] = [
  { number: 1004, customer: 'C-0221', status: 'delivered', lines: [['KG-1006', 1]] },
  {
    number: 1085,
    customer: 'C-0014',
    status: 'delivered',
    lines: [
      ['KG-1043', 1],
      ['KG-1031', 1],
    ],
  },
  {
    number: 1145,
    customer: 'C-0155',
    status: 'delivered',
    lines: [
      ['KG-1043', 1],
      ['KG-1035', 2],
      ['KG-1044', 1],
    ],
  },
  {
    number: 1190,
    customer: 'C-0116',
    status: 'delivered',
    lines: [
      ['KG-1035', 1],
      ['KG-1049', 1],
    ],
  },
  { number: 1312, customer: 'C-0085', status: 'delivered', lines: [['KG-1013', 2]] },
  { number: 1503, customer: 'C-0127', status: 'delivered', lines: [['KG-1042', 3]] },
  { number: 1640, customer: 'C-0085', status: 'delivered', lines: [['KG-1022', 4]] },
  { number: 1744, customer: 'C-0129', status: 'delivered', lines: [['KG-1038', 1]] },
  {
    number: 1767,
    customer: 'C-0150',
    status: 'delivered',
    lines: [
      ['KG-1005', 1],
      ['KG-1009', 1],
    ],
  },
  {
    number: 1832,
    customer: 'C-0101',
    status: 'delivered',
    lines: [
      ['KG-1047', 1],
      ['KG-1048', 1],
    ],
  },
  {
    number: 1864,
    customer: 'C-0077',
    status: 'returned',
    lines: [
      ['KG-1001', 1],
      ['KG-1005', 3],
    ],
    placed: '2026-05-12',
    shipped: '2026-05-13',
    delivered: '2026-05-17',
    returned: '2026-05-29',
  },
  {
    number: 1873,
    customer: 'C-0058',
    status: 'delivered',
    lines: [
      ['KG-1028', 1],
      ['KG-1030', 2],
    ],
  },
  {
    number: 1928,
    customer: 'C-0127',
    status: 'delivered',
    lines: [
      ['KG-1043', 2],
      ['KG-1012', 1],
      ['KG-1001', 1],
    ],
  },
  {
    number: 1942,
    customer: 'C-0044',
    status: 'shipped',
    lines: [['KG-1045', 1]],
    placed: '2026-05-18',
    shipped: '2026-06-26',
  },
  {
    number: 1985,
    customer: 'C-0085',
    status: 'returned',
    lines: [
      ['KG-1036', 1],
      ['KG-1057', 1],
    ],
  },
  { number: 2051, customer: 'C-0188', status: 'delivered', lines: [['KG-1037', 1]] },
  { number: 2119, customer: 'C-0116', status: 'cancelled', lines: [['KG-1062', 1]] },
  { number: 2188, customer: 'C-0062', status: 'delivered', lines: [['KG-1051', 1]] },
  {
    number: 2205,
    customer: 'C-0096',
    status: 'delivered',
    lines: [
      ['KG-1060', 1],
      ['KG-1027', 1],
    ],
    shipped: '2026-06-09',
    delivered: '2026-06-20',
  },
  { number: 2210, customer: 'C-0085', status: 'delivered', lines: [['KG-1020', 1]], placed: '2026-06-04' },
  { number: 2230, customer: 'C-0127', status: 'delivered', lines: [['KG-1028', 1]] },
  { number: 2244, customer: 'C-0160', status: 'delivered', lines: [['KG-1016', 1]] },
  { number: 2263, customer: 'C-0116', status: 'delivered', lines: [['KG-1049', 2]] },
  { number: 2271, customer: 'C-0145', status: 'delivered', lines: [['KG-1061', 1]] },
  { number: 2289, customer: 'C-0071', status: 'delivered', lines: [['KG-1043', 1]] },
  { number: 2304, customer: 'C-0177', status: 'delivered', lines: [['KG-1019', 1]] },
  { number: 2319, customer: 'C-0199', status: 'delivered', lines: [['KG-1002', 1]] },
  { number: 2327, customer: 'C-0110', status: 'delivered', lines: [['KG-1035', 1]] },
  {
    number: 2333,
    customer: 'C-0140',
    status: 'returned',
    lines: [
      ['KG-1053', 1],
      ['KG-1054', 1],
    ],
    placed: '2026-06-12',
    shipped: '2026-06-13',
    delivered: '2026-06-16',
    returned: '2026-06-26',
  },
  {
    number: 2346,
    customer: 'C-0029',
    status: 'delivered',
    lines: [
      ['KG-1032', 1],
      ['KG-1059', 1],
    ],
  },
  { number: 2351, customer: 'C-0130', status: 'delivered', lines: [['KG-1053', 1]] },
  { number: 2378, customer: 'C-0207', status: 'delivered', lines: [['KG-1021', 2]] },
  {
    number: 2387,
    customer: 'C-0091',
    status: 'shipped',
    lines: [['KG-1033', 1]],
    placed: '2026-06-16',
    shipped: '2026-06-27',
  },
  {
    number: 2391,
    customer: 'C-0048',
    status: 'delivered',
    lines: [['KG-1040', 2]],
    placed: '2026-06-16',
    shipped: '2026-06-17',
    delivered: '2026-06-20',
  },
  {
    number: 2398,
    customer: 'C-0085',
    status: 'delivered',
    lines: [
      ['KG-1055', 1],
      ['KG-1054', 1],
    ],
    placed: '2026-06-17',
    shipped: '2026-06-18',
    delivered: '2026-06-22',
  },
  {
    number: 2402,
    customer: 'C-0152',
    status: 'delivered',
    lines: [['KG-1039', 1]],
    placed: '2026-06-17',
    shipped: '2026-06-19',
    delivered: '2026-06-23',
  },
  {
    number: 2415,
    customer: 'C-0083',
    status: 'delivered',
    lines: [
      ['KG-1050', 1],
      ['KG-1051', 1],
    ],
    placed: '2026-06-18',
    shipped: '2026-06-19',
    delivered: '2026-06-23',
  },
  {
    number: 2424,
    customer: 'C-0064',
    status: 'shipped',
    lines: [
      ['KG-1041', 1],
      ['KG-1042', 2],
    ],
    placed: '2026-06-19',
    shipped: '2026-06-25',
  },
  {
    number: 2438,
    customer: 'C-0019',
    status: 'placed',
    lines: [
      ['KG-1032', 1],
      ['KG-1003', 1],
    ],
    placed: '2026-06-20',
  },
  {
    number: 2450,
    customer: 'C-0173',
    status: 'shipped',
    lines: [['KG-1046', 1]],
    placed: '2026-06-21',
    shipped: '2026-06-26',
  },
  {
    number: 2456,
    customer: 'C-0129',
    status: 'shipped',
    lines: [['KG-1034', 1]],
    placed: '2026-06-21',
    shipped: '2026-06-26',
  },
  {
    number: 2461,
    customer: 'C-0011',
    status: 'shipped',
    lines: [
      ['KG-1007', 1],
      ['KG-1020', 1],
    ],
    placed: '2026-06-22',
    shipped: '2026-06-27',
  },
  { number: 2469, customer: 'C-0036', status: 'cancelled', lines: [['KG-1011', 1]], placed: '2026-06-23' },
  {
    number: 2472,
    customer: 'C-0118',
    status: 'shipped',
    lines: [
      ['KG-1025', 1],
      ['KG-1064', 1],
    ],
    placed: '2026-06-22',
    shipped: '2026-06-25',
  },
  {
    number: 2476,
    customer: 'C-0127',
    status: 'shipped',
    lines: [['KG-1012', 1]],
    placed: '2026-06-22',
    shipped: '2026-06-24',
  },
  {
    number: 2484,
    customer: 'C-0222',
    status: 'placed',
    lines: [
      ['KG-1024', 1],
      ['KG-1044', 1],
    ],
    placed: '2026-06-25',
  },
  {
    number: 2496,
    customer: 'C-0203',
    status: 'shipped',
    lines: [
      ['KG-1058', 1],
      ['KG-1004', 1],
    ],
    placed: '2026-06-21',
    shipped: '2026-06-22',
  },
  { number: 2152, customer: 'C-0132', status: 'delivered', lines: [['KG-1014', 1]] },
  { number: 2401, customer: 'C-0055', status: 'cancelled', lines: [['KG-1052', 1]], placed: '2026-06-17' },
  {
    number: 2479,
    customer: 'C-0132',
    status: 'shipped',
    lines: [['KG-1063', 2]],
    placed: '2026-06-24',
    shipped: '2026-06-26',
  },
  {
    number: 2486,
    customer: 'C-0167',
    status: 'placed',
    lines: [
      ['KG-1029', 1],
      ['KG-1030', 1],
    ],
    placed: '2026-06-25',
  },
  {
    number: 2487,
    customer: 'C-0167',
    status: 'placed',
    lines: [
      ['KG-1029', 1],
      ['KG-1030', 1],
    ],
    placed: '2026-06-25',
  },
  { number: 2493, customer: 'C-0132', status: 'placed', lines: [['KG-1017', 1]], placed: '2026-06-27' },
];
