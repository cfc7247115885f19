import { describeWith } from '../support/system-tools.js';
import { everythingAtOnce } from './everything-at-once.js';

describeWith(
  ['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'],
  'With everything going wrong at once',
  everythingAtOnce,
);
