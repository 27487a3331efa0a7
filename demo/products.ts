/** The 64 products of the sample company, KG-1001 upwards: name and price in euro cents. */
const list: readonly (readonly [name: string, cents: number])[] = [
  ['Cast iron skillet 26 cm', 4499],
  ['Beech chopping board', 2490],
  ['Herb scissors', 1290],
  ['Bamboo steamer', 2199],
  ['Carbon steel wok', 3899],
  ['Ceramic pie dish', 1999],
  ['Olive wood salad servers', 1650],
  ['Stainless steel colander', 2290],
  ['Silicone spatula set', 1499],
  ['Marble mortar and pestle', 2999],
  ['Digital kitchen scale', 2799],
  ['Copper jam pan', 9900],
  ['Linen tea towel set', 1890],
  ['Bread proving basket', 1799],
  ['Pasta drying rack', 2150],
  ['Glass storage jar trio', 2399],
  ['Cold brew coffee jug', 2650],
  ['Galvanised watering can 9 l', 3450],
  ['Bread bin with bamboo lid', 3999],
  ['Pepper mill', 3200],
  ['Plant mister', 1350],
  ['Terracotta herb planter', 1999],
  ['Apple peeler', 2590],
  ['Enamelled roasting tin', 3499],
  ['Compost caddy', 2890],
  ['Wooden seed tray', 1850],
  ['Hand trowel with ash handle', 1690],
  ['Bypass secateurs', 3599],
  ['Kneeling pad', 1590],
  ['Cotton garden gloves', 1190],
  ['Enamelled casserole 24 cm', 8900],
  ['Salad spinner', 2499],
  ['Borosilicate teapot', 2999],
  ['Oak knife block', 2500],
  ['Chef’s knife 20 cm', 6400],
  ['Paring knife', 1490],
  ['Sharpening stone', 3290],
  ['Stoneware mug pair', 2600],
  ['Stoneware dinner plate set', 6900],
  ['Porcelain ramekin set', 1799],
  ['Preserving jar dozen', 2950],
  ['Jelly straining bag', 990],
  ['Enamelled saute pan', 18000],
  ['Milk pan', 3549],
  ['Stockpot 8 l', 7450],
  ['Garden sieve', 2250],
  ['Bird feeder', 2790],
  ['Rain gauge', 1290],
  ['Raised bed cover', 4500],
  ['Aluminium muffin tray', 2398],
  ['Non-stick loaf tin', 2099],
  ['Springform cake tin', 2199],
  ['Rolling pin', 2099],
  ['Cooling rack', 1599],
  ['Biscuit cutter set', 1299],
  ['Potato ricer', 2690],
  ['Garlic press', 1750],
  ['Citrus juicer', 2150],
  ['Box grater', 1999],
  ['Watering can 5 l', 2290],
  ['Hose reel 20 m', 5990],
  ['Border fork', 4290],
  ['Dibber', 1350],
  ['Garden twine on a stand', 1450],
];

export interface Product {
  sku: string;
  name: string;
  price_cents: number;
}

export const products: readonly Product[] = list.map(([name, price_cents], index) => ({
  sku: `KG-${String(1001 + index)}`,
  name,
  price_cents,
}));

const bySku = new Map(products.map((product) => [product.sku, product]));

export function priceOf(sku: string): number {
  const product = bySku.get(sku);
  if (!product) throw new Error(`The sample company has no product ${sku}.`);
  return product.price_cents;
}
