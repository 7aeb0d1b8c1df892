import { testEverything } from './everything.ts';

testEverything('streamableHttp');
