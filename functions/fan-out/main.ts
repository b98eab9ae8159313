import { main } from '../../src/run.ts'
import { fanOut } from './fan-out.ts'

await main(fanOut)
