import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { testFolder } from '../test-folder.ts'
import { type RecordedRun, recordRun } from './recorded-run.ts'

/** A temporary folder in which a test runs the tool. It is removed when the test ends. */
export class TestFolder {
  readonly folder = testFolder()

  write(path: string, content: string | Uint8Array): void {
    const place = join(this.folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content)
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  async run(...args: readonly string[]): Promise<Omit<RecordedRun, 'both'>> {
    const { both: _, ...run } = await recordRun(this.folder, args)
    return run
  }
}
