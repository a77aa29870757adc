import { useEffect, useState, type ReactNode } from 'react';
import { REVIEWS, type LanguageCode } from '@clinic/domain';
import { AccountLanguage, useAccountWords } from '../../shared/session/account-words.ts';
import { savedLanguage, saveLanguage } from '../../shared/storage/keys.ts';
import { Button } from '../../shared/ui/button.tsx';
import css from './login.module.css';

/** A page before the login: in the language that was chosen here, else in the browser's, with a button for the other. */
export function InLanguage({ title, children }: { title: 'loginTitle' | 'welcomePage'; children: ReactNode }) {
  const [chosen, setChosen] = useState(savedLanguage);
  const code: LanguageCode = (chosen ?? navigator.language).startsWith('es') ? 'es' : 'en';
  return (
    <AccountLanguage value={code}>
      <Named title={title} />
      <div className={css.login}>{children}</div>
      <OtherLanguage
        onChoose={(next) => {
          saveLanguage(next);
          setChosen(next);
        }}
      />
    </AccountLanguage>
  );
}

/** Names the window, and says its language to screen readers. */
function Named({ title }: { title: 'loginTitle' | 'welcomePage' }): null {
  const { code, t } = useAccountWords();
  useEffect(() => {
    document.title = t(title);
    document.documentElement.lang = code;
    return () => {
      document.documentElement.lang = 'en';
    };
  }, [code, t, title]);
  return null;
}

function OtherLanguage({ onChoose }: { onChoose: (code: LanguageCode) => void }) {
  const { code, t } = useAccountWords();
  const other = code === 'es' ? ({ code: 'en', name: 'English' } as const) : ({ code: 'es', name: 'Español' } as const);
  return (
    <div className={css.language}>
      {code === 'es' && REVIEWS.account === null ? <span className="small muted">{t('notReviewed')}</span> : null}
      <Button variant="ghost" lang={other.code} onClick={() => onChoose(other.code)}>
        {other.name}
      </Button>
    </div>
  );
}
