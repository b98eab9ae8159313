import { expect, test } from 'vitest'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import { optionsAsked, runsFunctions } from './render-options.ts'

const configured = (spec: string) =>
  ResourceList.of([], writtenObject(`apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: o}\nspec: ${spec}\n`))

const FOLDER = { disk: '/fleet', shown: 'fleet' }

test('a choice of the caller comes before that of the options', () => {
  const list = configured('{out: out, followRenames: true, discardEdits: true}')
  const { options } = optionsAsked(list, FOLDER, { fanOut: true, run: true, discardEdits: false, allowMoved: true })
  expect(options).toMatchObject({ out: 'out', followRenames: true, discardEdits: false, allowMoved: true })
})

test('functions run unless the caller or the options leave them to kpt', () => {
  const { configured: run } = optionsAsked(configured('{pipeline: run}'), FOLDER, { fanOut: true, run: true })
  const { configured: left } = optionsAsked(configured('{pipeline: leave}'), FOLDER, { fanOut: true, run: true })
  expect([runsFunctions({ run: 'known' }, run), runsFunctions({ run: false }, run), runsFunctions({ run: true }, left)]).toEqual([
    true,
    false,
    false,
  ])
})

test('a status that no function run writes is a warning', () => {
  const rules = (run: boolean) =>
    optionsAsked(configured('{status: true}'), FOLDER, { fanOut: true, run }).results.map(
      ({ severity, tags }) => `${severity} ${tags.rule}`,
    )
  expect(rules(false)).toEqual(['warning option-without-effect'])
  expect(rules(true)).toEqual([])
})
