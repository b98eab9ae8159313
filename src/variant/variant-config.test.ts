import { expect, test } from 'vitest'
import { kptfileText, writtenObject } from '../../testdata/written-objects.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { linesOf, writtenPackage } from './testing/written-package.ts'
import { readVariantConfig } from './variant-config.ts'

const KPTFILE = kptfileText('shop')

function variantText(name: string, revision = 'revision: 1'): string {
  const spec = `{upstream: {repo: r, package: p, ${revision}}, downstream: {repo: r, package: shop}}`
  return `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: ${name}\nspec: ${spec}\n`
}

/** Returns who gave the options of a function, and the results; the items hold the variant `item`. */
function read(config?: string, item = variantText('item')) {
  const { list: items, pkg } = writtenPackage({ Kptfile: KPTFILE, 'item.yaml': item })
  const list = ResourceList.of(items.items, config === undefined ? undefined : writtenObject(config, 'config.yaml'))
  let options = ''
  const lines = linesOf(() => {
    options = readVariantConfig(list, pkg, {
      variant: ({ name }) => `variant ${name}`,
      kinds: {
        Alone: ({ name }) => `Alone ${name}`,
        Beside: ({ name }, findVariant) => `Beside ${name} and ${findVariant().name}`,
      },
    })
    return list.results
  })
  return { options, lines }
}

const configOf = (kind: string, rest = '') => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: config\n${rest}`

test.each([
  { rule: 'a PackageVariant as functionConfig gives the options', config: variantText('config'), options: 'variant config' },
  { rule: 'without a functionConfig the variant among the items gives the options', config: undefined, options: 'variant item' },
  { rule: 'an empty ConfigMap counts as no functionConfig', config: configOf('ConfigMap'), options: 'variant item' },
  { rule: 'another known kind gives the options', config: configOf('Alone'), options: 'Alone config' },
  { rule: 'another known kind may ask for the variant among the items', config: configOf('Beside'), options: 'Beside config and item' },
])('$rule', ({ config, options }) => {
  expect(read(config)).toEqual({ options, lines: [] })
})

test.each([configOf('ConfigMap', 'data: {a: b}\n'), configOf('Other')])('a functionConfig of another kind is refused: %s', (config) => {
  const { options, lines } = read(config)
  expect(options).toBe('')
  expect(lines).toEqual([
    expect.stringMatching(
      /^config\.yaml:2:7: error: `kind` must be one of 'PackageVariant', 'Alone', 'Beside' in a functionConfig of this function, got '(ConfigMap|Other)' \[function-config\]$/,
    ),
  ])
})

test('the warnings about the variant that is read are results of the list, and about no other variant', () => {
  const vague = "revision: 'v1'"
  expect(read(undefined, variantText('item', vague)).lines).toEqual([expect.stringMatching(/^item\.yaml:.* warning: /)])
  expect(read(variantText('config', vague)).lines).toEqual([expect.stringMatching(/^config\.yaml:.* warning: /)])
  expect(read(configOf('Alone'), variantText('item', vague)).lines).toEqual([])
})
