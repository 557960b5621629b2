import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { refreshQueries } from '../../data/query.ts';
import type { Source } from '../../data/sources.ts';
import { newPath, uploadTo, useMayUpload } from '../../data/upload.ts';
import { Button } from '../../ui/button.tsx';
import { Issue } from '../../ui/states.tsx';

/** Brings files into a source of files, in parts if they are large. */
export function Upload({ source: { id } }: { source: Source }) {
  const { mayUpload, problem } = useMayUpload();
  const input = useRef<HTMLInputElement>(null);
  const sent = useSignal<{ name: string; part: number } | undefined>(undefined);
  const upload = useAction(async (files: readonly File[]) => {
    for (const file of files) {
      sent.value = { name: file.name, part: 0 };
      await uploadTo(id, newPath(file), file, {
        onSent: (part) => {
          sent.value = { name: file.name, part };
        },
      });
    }
    await refreshQueries(['sources', id]);
  });
  if (!mayUpload) return problem ? <Issue problem={problem} /> : null;
  return (
    <>
      {upload.isRunning && sent.value && (
        <progress aria-label={`Uploading ${sent.value.name}`} value={sent.value.part} />
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
          if (files.length > 0) void upload.run(files);
        }}
      />
      <Issue problem={upload.problem} />
    </>
  );
}
