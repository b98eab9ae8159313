import { beforeAll, test } from 'vitest'
import { PACKAGES } from './packages.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-packages')
})

test.each(PACKAGES)('$what', (attack) => {
  expectBounded(runner, attack)
})
