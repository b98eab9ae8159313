import { expect, test } from 'vitest'
import { packageOfTexts, type Texts } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes } from '../../merge/package-files.ts'
import { withoutContexts } from '../clone/clone-context.ts'
import { type RenderedObject, unchanged } from '../clone/rendered-package.ts'
import { forReplacement, withContexts } from './kept-context.ts'

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

test('a package context that comes back keeps the comments of people, and one in a file with other objects comes back beside these', () => {
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
  const before = { Kptfile: kptfileText('edge'), 'all.yaml': `${context('edge', '  site: a # mine\n')}---\n${config}` }
  expect(kept({ Kptfile: kptfileText('edge'), 'all.yaml': config }, before)['all.yaml']).toBe(
    `${config}---\n${context('edge', '  site: a # mine\n')}`,
  )
})

test('of the keys that kpt writes, both keep their values, and one that the package does not have stays as upstream has it', () => {
  const before = (data: string) => ({ Kptfile: kptfileText('edge'), 'package-context.yaml': context('edge', data) })
  const after = { Kptfile: kptfileText('edge'), 'package-context.yaml': context('shop', '  package-path: shop\n') }
  expect(kept(after, before('  package-path: a/edge\n'))['package-context.yaml']).toBe(context('edge', '  package-path: a/edge\n'))
  expect(kept(after, before(''))['package-context.yaml']).toBe(context('edge', '  package-path: shop\n'))
})

test('the context of the package itself does not follow a new name of its Kptfile', () => {
  const before = { Kptfile: kptfileText('edge'), 'package-context.yaml': context('edge') }
  expect(kept({ ...before, Kptfile: kptfileText('other') }, before)['package-context.yaml']).toBe(context('edge'))
})

/** Returns the package context of a package as its replacement compares it; undefined for none. */
function compared(
  ours: string,
  sides: { readonly base?: string; readonly theirs?: string; readonly cloned?: string },
  variantKeys: readonly string[] = [],
) {
  const files = (text: string | undefined) => packageOfTexts(text === undefined ? {} : { 'package-context.yaml': text })
  const found = forReplacement(packageOfTexts({ 'package-context.yaml': ours, 'notes.txt': 'x' }), {
    base: files(sides.base),
    theirs: files(sides.theirs),
    cloned: files(sides.cloned),
    variantKeys,
  })
  expect(found.has('notes.txt')).toBe(true)
  const content = found.get('package-context.yaml')
  return content === undefined || isBytes(content) ? undefined : content.map((object) => object.toText()).join('---\n')
}

test('for a replacement, a package context that upstream lacks is left out', () => {
  expect(compared(context('edge', '  site: a\n'), { base: context('shop'), cloned: context('edge') })).toBeUndefined()
})

test('for a replacement, a package context without edits is as the old revision has it', () => {
  const [base, theirs] = [context('shop', '  old: x\n'), context('shop', '  new: x\n')]
  const cloned = context('edge', '  old: x\n')
  expect(compared(context('edge', '  old: x\n'), { base, theirs, cloned })).toBe(base)
  expect(compared(context('edge', '  old: x\n  site: a\n'), { base, theirs, cloned }, ['site'])).toBe(base)
  expect(compared(context('edge', '  old: x\n  package-path: a/edge\n'), { base, theirs, cloned })).toBe(base)
  expect(compared(context('edge', '  old: x\n'), { base, theirs })).toBe(base)
})

test('for a replacement, an edited package context differs from the new revision in what people wrote', () => {
  const [base, theirs] = [context('shop', '  old: x\n'), context('shop', '  package-path: p\n')]
  const cloned = context('edge', '  old: x\n')
  expect(compared(context('edge', '  old: x\n  own: y\n'), { base, theirs, cloned })).toBe(
    context('shop', '  old: x\n  own: y\n  package-path: p\n'),
  )
  expect(compared(context('edge', '  old: x\n  own: y\n  site: a\n'), { base, theirs, cloned }, ['site'])).toBe(
    context('shop', '  old: x\n  own: y\n  package-path: p\n'),
  )
  expect(compared(context('edge'), { theirs })).toBe(context('shop', '  package-path: p\n'))
})
