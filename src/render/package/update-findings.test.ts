import { expect, test } from 'vitest'
import type { KptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import type { UpstreamOrigin } from '../../upstream/origin.ts'
import { comparedBefore, editsInTheWay, movedTag, originalMissing, placedBelow } from './update-findings.ts'

const KPTFILE = KrmObject.fromDocument('kind: Kptfile\nmetadata: {name: shop}\n', { path: 'out/shop/Kptfile', index: 0, line: 1 })
const AT = { repo: 'r', directory: 'shop' }
const [OLD, NEW] = ['1'.repeat(40), '2'.repeat(40)]

/** Returns a finding as `SEVERITY RULE FILE: MESSAGE`. */
function shown({ severity, tags, file, message }: Result): string {
  return `${severity} ${tags.rule} ${file?.path}: ${message}`
}

test('a comparison without functions is an info at the pipeline', () => {
  expect(shown(comparedBefore(KPTFILE, 'v1'))).toBe(
    "info compared-before-functions out/shop/Kptfile: `pipeline` must run here for an update to distinguish edits from values that functions wrote; that of revision 'v1' cannot, so the packages are compared before their functions ran",
  )
})

const ORIGIN: UpstreamOrigin = { ...AT, ref: 'v1', resolvedRef: 'shop/v1', commit: NEW, isPublished: true }
const WRITTEN: KptfileUpstream = { upstreamLock: { ...AT, ref: 'v1', commit: OLD } }

test('a published tag that resolves to another commit than before is an error with both commits', () => {
  const found = movedTag(KPTFILE, WRITTEN, ORIGIN)
  expect(found && shown(found)).toBe(
    "error upstream-moved out/shop/Kptfile: `upstreamLock.git.commit` must be the commit of tag 'shop/v1', which is 222222222222 now and was 111111111111 when the package was made: a published tag must not move; `allowMoved: true` (--allow-moved) accepts the new commit",
  )
  expect(movedTag(KPTFILE, { upstreamLock: { ...AT, ref: 'shop/v1', commit: OLD } }, ORIGIN)).toEqual(found)
})

test.each<[string, KptfileUpstream, UpstreamOrigin]>([
  ['at the commit of before', WRITTEN, { ...ORIGIN, commit: OLD }],
  ['that is no published tag', WRITTEN, { ...ORIGIN, isPublished: false }],
  ['of another name', { upstreamLock: { ...AT, ref: 'v2', commit: OLD } }, ORIGIN],
  ['of a package without the commit of before', { upstreamLock: { ...AT, ref: 'v1', commit: '' } }, ORIGIN],
  ['of a package without a lock', {}, ORIGIN],
  ['in a folder', WRITTEN, { ...AT, ref: 'v1', resolvedRef: 'v1', isPublished: true }],
])('a revision %s has not moved', (_, written, origin) => {
  expect(movedTag(KPTFILE, written, origin)).toBeUndefined()
})

test('edits are in the way of a strategy, and only fast-forward cannot discard them', () => {
  const text = (found: string, unless: string) =>
    `error local-changes out/shop/Kptfile: \`upstream.updateStrategy\` must not be '${found}' for a package that was changed since it was made${unless}, found changes in 'a.yaml', 'b.yaml'; 'resource-merge' keeps edits`
  expect(shown(editsInTheWay(KPTFILE, ['a.yaml', 'b.yaml'], 'fast-forward'))).toBe(text('fast-forward', ''))
  expect(shown(editsInTheWay(KPTFILE, ['a.yaml', 'b.yaml'], 'force-delete-replace'))).toBe(
    text('force-delete-replace', ' unless `discardEdits` (--discard-edits) is true'),
  )
})

test.each<[string, KptfileUpstream, string]>([
  [
    'its lock',
    { upstream: { ...AT, ref: 'v1' }, upstreamLock: { ...AT, ref: 'v1', commit: OLD } },
    '`upstreamLock.git.ref` must name an existing revision',
  ],
  ['its upstream', { upstream: { ...AT, ref: 'v1' } }, '`upstream.git.ref` must name an existing revision'],
  ['no upstream', {}, '`upstream` must be set'],
])('a package whose original is missing has an error at %s', (_, written, wanted) => {
  expect(shown(originalMissing(KPTFILE, written, 'must name an existing package'))).toBe(
    `error original-missing out/shop/Kptfile: ${wanted}; without the revision that the package was last brought to, edits cannot be distinguished from changes of the upstream`,
  )
})

test('a finding below the folder of an upstream revision is placed below another folder, any other stays', () => {
  const at = (path?: string): Result => ({
    severity: 'error',
    message: 'm',
    ...(path !== undefined && { file: { path, index: 3 } }),
    tags: { rule: 'kptfile' },
  })
  expect(placedBelow(at('lib/shop@v1/db/Kptfile'), 'lib/shop@v1', 'out/shop')).toEqual(at('out/shop/db/Kptfile'))
  for (const path of ['lib/shop@v10/Kptfile', 'a/lib/shop@v1/Kptfile', undefined])
    expect(placedBelow(at(path), 'lib/shop@v1', 'out/shop')).toEqual(at(path))
})
