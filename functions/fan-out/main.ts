import { main } from '../../src/run.ts'
import { optimizeLate } from '../../src/v8-flags.ts'
import { fanOut } from './fan-out.ts'

optimizeLate()
await main(fanOut)
