import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refuseUnwritable } from './refuse-unwritable.ts'

test('a resource is not written to a new .krmignore, which would hide files from the next run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unwritable-'))
  try {
    const change = (path: string) => ({ op: 'create' as const, path, text: 'a: 1\n' })
    const refused = refuseUnwritable(folder, ['.krmignore', 'd/.krmignore', 'a.yaml'].map(change), (path) => path)
    expect(refused.map(({ file, tags }) => [file?.path, tags.rule])).toEqual([
      ['.krmignore', 'file-unwritable'],
      ['d/.krmignore', 'file-unwritable'],
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
