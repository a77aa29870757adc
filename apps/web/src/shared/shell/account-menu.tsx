import { useState } from 'react';
import { initials } from '../initials.ts';
import { navigate, usePath } from '../router/history.ts';
import { signOut } from '../session/sign-out.ts';
import { useSessionInfo } from '../session/session-info.ts';
import { saveTheme, savedTheme, type Theme } from '../storage/keys.ts';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useCommands, type Command } from './commands.ts';
import { placesFor, SCHEDULER, type Place } from './places.ts';

const OwnAccountDialog = lazyPart(() => import('../session/own-account-dialog.tsx').then((m) => m.OwnAccountDialog));

const THEMES: { value: Theme; label: string }[] = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light theme' },
  { value: 'dark', label: 'Dark theme' },
];

/** Whether a path is this place, or one of its pages. */
const isAt = (path: string, to: string): boolean => path.split('/')[1] === to.split('/')[1];

const HELP = { label: 'Help', run: () => void open('/help') };

/** The menu of pages and settings that are not in the sidebar (ROUTE-06). The command palette finds them too. */
export function AccountMenu({
  className,
  onPalette,
  onKeys,
}: {
  className?: string | undefined;
  onPalette: () => void;
  onKeys: () => void;
}) {
  const info = useSessionInfo();
  const [theme, setTheme] = useState(savedTheme);
  const choose = (value: Theme): void => {
    saveTheme(value);
    setTheme(value);
  };
  const [own, setOwn] = useState(false);
  const path = usePath();
  const entry = ({ label, to }: Place) => ({ label, current: isAt(path, to), run: () => navigate({ to }) });
  const places = placesFor(info?.account);
  const administration = places.filter(({ rules }) => rules).map(entry);
  const today = { label: 'Today', run: () => navigate({ to: '/' }) };
  const secrets = { label: 'Password, passkeys and sessions', run: () => setOwn(true) };
  const leave = { label: 'Log out', run: () => void signOut() };
  useCommands(() => [
    ...[today, ...places.map(entry), HELP, secrets, leave].map(({ label, run }): Command => ({
      id: `go:${label}`,
      kind: 'Action',
      label: [leave.label, secrets.label, HELP.label, SCHEDULER.label].includes(label) ? label : `Go to ${label}`,
      // What people may look for: the page's title, or what it says.
      hint: label === SCHEDULER.label ? 'Scheduler' : label === today.label ? 'What is wrong' : undefined,
      run,
    })),
    ...THEMES.map(({ value, label }): Command => ({
      id: `theme:${value}`,
      kind: 'Action',
      label,
      run: () => choose(value),
    })),
  ]);
  const entries: MenuEntry[] = [
    { kind: 'group', label: 'The clinic' },
    ...places.filter(({ rules }) => !rules).map(entry),
    ...(administration.length === 0 ? [] : [{ kind: 'group', label: 'Administration' } as const]),
    ...administration,
    { kind: 'group', label: 'Me' },
    { label: 'Find anything', keys: 'Ctrl K', run: onPalette },
    { label: 'Keyboard shortcuts', keys: '?', run: onKeys },
    HELP,
    ...THEMES.map(({ value, label }): MenuEntry => ({
      kind: 'choice',
      label,
      chosen: theme === value,
      run: () => choose(value),
    })),
    secrets,
    leave,
  ];
  const name = info?.account.name ?? '';
  return (
    <>
      <Menu
        className={className}
        label={name === '' ? 'Account' : `${initials(name)}: account of ${name}`}
        head={
          info ? (
            <>
              <b>{name}</b>
              <br />
              <span className="small muted">{info.account.email}</span>
            </>
          ) : null
        }
        entries={entries}
      >
        {name === '' ? '…' : initials(name)}
      </Menu>
      {own ? <OwnAccountDialog onClose={() => setOwn(false)} onLoadError={() => setOwn(false)} /> : null}
    </>
  );
}
