// Where the page begins: comes in, connects, draws.
import './noEval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './base.css';
import { Desk } from './frame/Desk.tsx';
import { desk } from './session.ts';
import { keepTheme } from './theme.ts';
import { draftAhead } from './tickets/ahead.ts';

keepTheme();
const root = document.getElementById('desk');
if (root === null) throw new Error('The page has no place for the desk');
createRoot(root).render(
  <StrictMode>
    <Desk />
  </StrictMode>,
);
draftAhead();
void desk.connect();
