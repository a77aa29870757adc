import type { DaySheetReply } from '@clinic/contract';

type Service = DaySheetReply['open'][number]['service'];

const SERVICES: Readonly<Record<Service, string>> = {
  direct: 'Direct therapy',
  supervision: 'Supervision',
  'parent-training': 'Parent training',
  admin: 'Admin time',
};
export const serviceWords = (service: Service): string => SERVICES[service];
