import { beforeAll, test } from 'vitest'
import { CATALOG_ATTACKS } from './catalog-attacks.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-catalog')
})

test.each(CATALOG_ATTACKS)('$what', (attack) => {
  expectBounded(runner, attack)
})
