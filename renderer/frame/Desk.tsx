// The frame of every screen: rail, the screen itself, what is wrong with the line, palette and keys, live regions.
import { useEffect } from 'react';
import { commands } from '../../shared/commands.ts';
import { runCommand, useCommand } from '../commands/registry.ts';
import { useKeys } from '../commands/useKeys.ts';
import { BringIn } from '../imports/BringIn.tsx';
import { TakeOut } from '../imports/TakeOut.tsx';
import { announce } from '../parts/announce.ts';
import { Live } from '../parts/Live.tsx';
import { go, usePlace } from '../place.ts';
import { SignIn } from '../people/SignIn.tsx';
import { desk, useLine, useMe } from '../session.ts';
import { nextTheme } from '../theme.ts';
import { AllKeys } from '../commands/AllKeys.tsx';
import { Palette } from '../commands/Palette.tsx';
import styles from './Desk.module.css';
import { LineNotice } from './LineNotice.tsx';
import { Rail } from './Rail.tsx';
import { screens } from './screens.tsx';

export function Desk() {
  const screen = usePlace((place) => place.screen);
  const Screen = screens[screen].Screen;
  const line = useLine();
  const nobody = useMe(({ person }) => person === null) && line.state === 'open';
  useKeys();
  useGoing();
  return (
    <div className={styles.desk}>
      <Rail />
      <div className={styles.body}>
        <LineNotice />
        <main className={styles.screen} aria-label={screens[screen].words}>
          {nobody ? <SignIn /> : <Screen />}
        </main>
      </div>
      {!nobody && <BringIn />}
      {!nobody && <TakeOut />}
      <Palette />
      <AllKeys />
      <Live />
    </div>
  );
}

function useGoing(): void {
  useEffect(
    () =>
      desk.onCommand((id, open) => {
        const chosen = commands.find((one) => one.id === id);
        if (id === 'go.inbox' && open !== null) go('inbox', open);
        else if (chosen !== undefined) runCommand(chosen.id);
      }),
    [],
  );
  useCommand('go.queue', () => go('queue'));
  useCommand('go.inbox', () => go('inbox'));
  useCommand('go.definitions', () => go('tools'));
  useCommand('go.runs', () => go('runs'));
  useCommand('go.servers', () => go('servers'));
  useCommand('go.model', () => go('model'));
  useCommand('view.theme', () => announce(nextTheme()));
}
