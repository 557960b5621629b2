import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { refreshQueries } from '../../data/query.ts';
import type { Source } from '../../data/sources.ts';
import { newPath, uploadTo, useMayUpload } from '../../data/upload.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Issue } from '../../ui/states.tsx';

/** A file that the person has chosen. It keeps its path, so that another try puts no second file beside it. */
interface Chosen {
  file: File;
  path: string;
  isSent: boolean;
}

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/** Brings files into a source of files, in parts if they are large. After a failure, it goes on where it was. */
export function Upload({ source: { id } }: { source: Source }) {
  const { mayUpload, problem } = useMayUpload();
  const input = useRef<HTMLInputElement>(null);
  /** Those of the last choice until all are sent. */
  const chosen = useRef<Chosen[]>([]);
  const sent = useSignal<{ name: string; part: number } | undefined>(undefined);
  const upload = useAction(async () => {
    try {
      for (const each of chosen.current) {
        if (each.isSent) continue;
        const { name } = each.file;
        sent.value = { name, part: 0 };
        await uploadTo(id, each.path, each.file, {
          onSent: (part) => {
            sent.value = { name, part };
          },
        });
        each.isSent = true;
      }
      chosen.current = [];
    } finally {
      // Those before one that fails are there.
      await refreshQueries(['sources', id]);
    }
  });
  const choose = (files: readonly File[]) => {
    if (files.length === 0) return;
    const before = chosen.current;
    chosen.current = files.map(
      (file) => before.find((each) => isSame(each.file, file)) ?? { file, path: newPath(file), isSent: false },
    );
    void upload.run();
  };
  if (!mayUpload) return problem ? <Issue problem={problem} /> : null;
  const left = chosen.current.filter(({ isSent }) => !isSent).length;
  return (
    <>
      {upload.isRunning && sent.value && (
        <progress aria-label={`Uploading ${sent.value.name}`} value={sent.value.part} />
      )}
      {upload.problem && left > 0 && (
        <Button icon="rotate-ccw" onClick={() => void upload.run()}>
          Try again
        </Button>
      )}
      <Button look="main" icon="upload" isBusy={upload.isRunning} onClick={() => input.current?.click()}>
        Upload files
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          choose(files);
        }}
      />
      <Issue
        problem={
          upload.problem && left > 0
            ? { ...upload.problem, sentence: `${counted(left, 'file')} not uploaded yet. ${upload.problem.sentence}` }
            : upload.problem
        }
      />
    </>
  );
}
