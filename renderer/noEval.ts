// The page may not make code of text; schemas are told so before the first of them is made.
import { config } from 'zod';

config({ jitless: true });
