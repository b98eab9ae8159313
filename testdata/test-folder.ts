import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Returns a new folder for one test, which is removed when the test is over. */
export function testFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
