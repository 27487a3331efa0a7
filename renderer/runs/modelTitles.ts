// Models by the names people know them by: a run keeps only the name of the file's entry.
import { useAsked } from '../asked.ts';

/** The title of a model where the catalogue has one, without what it says of the file. */
export function useModelTitles(): (model: string) => string {
  const { value: models = [] } = useAsked('models.list', {});
  return (model) => {
    if (model === 'none') return 'Without a model';
    const title = models.find(({ name }) => name === model)?.title;
    return (title ?? model).replace(/ \([^)]*\)$/, '').replace(/ Instruct$/, '');
  };
}
