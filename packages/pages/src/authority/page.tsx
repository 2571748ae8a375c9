import { mount } from '../shared/mount.ts';
import { Authority } from './authority.tsx';

mount(<Authority />);
