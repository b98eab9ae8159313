import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { randomFrom } from '../scripts/fuzz/random.ts'
import { randomSide } from '../scripts/fuzz/random-side.ts'
import { mergePackages } from '../src/merge/merge-packages.ts'
import { isBytes, keptContent, type MergedContent, type PackageFiles } from '../src/merge/package-files.ts'
import { hasErrors } from '../src/result.ts'
import { packageOfTexts, textsOf } from './package-of-texts.ts'
import { randomRuns } from './random-runs.ts'
import { SHARED_MUST_BE_THERE } from './shared-folder.ts'

// Public files, which lie beside the repository; where CI runs they must be there.
const REAL = fileURLToPath(new URL('../../shared/real', import.meta.url))
const HERE = existsSync(REAL) || SHARED_MUST_BE_THERE

/** Files whose edits take the full parser too long. */
const MOST_BYTES = 100_000

/** Every third file is edited, with `TIMES=2` every second, with `TIMES=3` all. */
const STEP = Math.ceil(3 / randomRuns(1))

/** Returns the files of which a test edits some, each with the seed of its edits. */
function readFiles(): readonly (readonly [seed: number, file: PackageFiles])[] {
  const entries = readdirSync(REAL, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  const texts = paths.map((path) => [relative(REAL, path).split(sep).join('/'), readFileSync(path, 'utf8')] as const)
  const small = texts.filter(([, text]) => text.length < MOST_BYTES)
  expect(small.length).toBeGreaterThan(900)
  return small.flatMap(([path, text], seed) => (seed % STEP === 0 ? [[seed, packageOfTexts({ [path]: text })] as const] : []))
}

/** A file after a few edits of values and comments in each of its resources. */
function edited(files: PackageFiles, name: string, seed: number): PackageFiles {
  const random = randomFrom(seed)
  const texts = [...files].map(([path, content]) => {
    if (isBytes(content)) return [path, `${new TextDecoder().decode(content)}${name}`] as const
    const documents = content.map((object) => randomSide(random, object.toText(), name).replace(/\n?$/, '\n'))
    return [path, documents.join('---\n')] as const
  })
  return packageOfTexts(Object.fromEntries(texts))
}

function asTexts(files: PackageFiles) {
  return textsOf(new Map<string, MergedContent>([...files].map(([path, content]) => [path, keptContent(content, 'theirs')])))
}

test.skipIf(!HERE)('what only the downstream changed in a real file stays, byte for byte', () => {
  for (const [seed, base] of readFiles()) {
    const ours = edited(base, 'own', seed)
    const { files: kept, results } = mergePackages({ base, theirs: base, ours, strategy: 'resource-merge' })
    expect(textsOf(kept)).toEqual(asTexts(ours))
    expect(results).toEqual([])
  }
})

// Not merged: nulls that upstream writes, and upstream identifiers.
test.skipIf(!HERE)('what only upstream changed in a real file is there, byte for byte in 19 of 20 files', () => {
  const merges = readFiles()
    .filter(([, base]) => [...base.keys()].every((path) => basename(path) !== 'Kptfile'))
    .map(([seed, base]) => ({ base, theirs: edited(base, 'theirs', seed) }))
    .map((sides) => ({ ...sides, merged: mergePackages({ ...sides, ours: sides.base, strategy: 'resource-merge' }) }))
    .filter(({ merged }) => !hasErrors(merged.results))
  const equal = merges.filter(({ merged, theirs }) => JSON.stringify(textsOf(merged.files)) === JSON.stringify(asTexts(theirs)))
  expect(merges.length).toBeGreaterThan(700 / STEP)
  expect(equal.length / merges.length).toBeGreaterThan(0.95)
})
