import { DayFaces, isDayFace } from './day-faces.tsx';
import { Page, Sheet } from './page.tsx';
import { Waiting } from './loading.tsx';

/** A page whose files are loading: its title, and outlines of its content. */
export function PageWait({ path, title }: { path: string; title: string }) {
  const isFace = isDayFace(path);
  return (
    <Page
      title={title}
      toolbar={
        <>
          <h1 className={isFace ? 'sr' : undefined}>{title}</h1>
          {isFace ? <DayFaces counts={false} /> : null}
        </>
      }
    >
      <Sheet fills="page">
        <Waiting as="Loading the page" lines={6} />
      </Sheet>
    </Page>
  );
}
