import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import { withoutContexts } from '../clone/clone-context.ts'
import { type RenderedObject, unchanged } from '../clone/rendered-package.ts'
import { withContexts } from './kept-context.ts'

const context = (name: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: ${name}\n${more}`

const textOf = ({ object }: RenderedObject) => object.toText().replace(/\n?$/, '\n')

/** Returns the files after an update that gave a package some files, with the package contexts that the package had. */
function kept(updated: Texts, before: Texts): Texts {
  const files = new Map([...packageOfTexts(updated)].map(([path, content]) => [path, unchanged(content, 'theirs')]))
  const after = withContexts(files, packageOfTexts(before))
  return Object.fromEntries(
    Array.from(after, ([path, content]) => [path, isBytes(content) ? '' : content.map(textOf).join('---\n')] as const),
  )
}

test('a package context that an update removed is there again, and the names that kpt wrote stay', () => {
  const before = { Kptfile: kptfileText('edge'), 'package-context.yaml': context('edge', '  site: a\n') }
  expect(kept({ Kptfile: kptfileText('edge') }, before)).toEqual(before)
  expect(kept({ Kptfile: kptfileText('edge'), 'package-context.yaml': context('shop', '  site: b\n') }, before)).toEqual({
    ...before,
    'package-context.yaml': context('edge', '  site: b\n'),
  })
})

test('the context of a subpackage goes with the subpackage, and that of a folder which was never one stays', () => {
  const root = { Kptfile: kptfileText('edge') }
  const sub = { 'db/Kptfile': kptfileText('db'), 'db/package-context.yaml': context('db') }
  expect(kept(root, { ...root, ...sub })).toEqual(root)
  expect(kept(root, { ...root, 'docs/package-context.yaml': context('docs') })).toEqual({
    ...root,
    'docs/package-context.yaml': context('docs'),
  })
})

test('the context of a subpackage follows a new name of its Kptfile, unless people gave it another one', () => {
  const before = (name: string) => ({
    Kptfile: kptfileText('edge'),
    'db/Kptfile': kptfileText('db'),
    'db/package-context.yaml': context(name),
  })
  const after = { Kptfile: kptfileText('edge'), 'db/Kptfile': kptfileText('store') }
  expect(kept(after, before('db'))['db/package-context.yaml']).toBe(context('store'))
  expect(kept(after, before('mine'))['db/package-context.yaml']).toBe(context('mine'))
})

test('a file that held a package context alone is left out, one with more keeps the rest', () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
  const files = packageOfTexts({ 'package-context.yaml': context('edge'), 'all.yaml': `${context('x')}---\n${config}`, 'a.yaml': config })
  expect([...withoutContexts(files, () => true)].map(([path, content]) => [path, content.length])).toEqual([
    ['all.yaml', 1],
    ['a.yaml', 1],
  ])
  expect(withoutContexts(files, () => false)).toEqual(files)
})
