/**
 * What models can be had and from where. Two files: the hub and its mirrors for everyone; packages of the Python registry
 * only for a repository checkout on machines that reach registries alone, never for an installed desk.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '../../shared/failures.ts';
import { catalogue, catalogueEntry, type CatalogueEntry } from '../../shared/models.ts';

const packages = z.record(z.string(), catalogueEntry.shape.sources);

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/** `options.packages`: with the sources that need Python's package client. */
export function loadCatalogue(options: { packages: boolean }): CatalogueEntry[] {
  const { models } = catalogue.parse(readJson('./catalogue.json'));
  if (!options.packages) return models;
  const more = packages.parse(readJson('./packages.json'));
  return models.map((entry) => ({ ...entry, sources: [...entry.sources, ...(more[entry.name] ?? [])] }));
}

/** By name, or by role: `starter`, `light`, `recommended`. */
export function findModel(models: readonly CatalogueEntry[], nameOrRole: string): CatalogueEntry {
  const found = models.find(({ name }) => name === nameOrRole) ?? models.find(({ role }) => role === nameOrRole);
  if (found !== undefined) return found;
  const names = models.map(({ name, role }) => `${name} (${role})`).join(', ');
  throw new Failure('model.unknown', `There is no model “${nameOrRole}” in the catalogue. There are: ${names}.`, {
    name: nameOrRole,
  });
}
