//! part1/openmp in Rust, except that it finds neighbours separately: each thread has its own rows,
//! and the compiler enforces it.

mod protocol;
mod simulation;

struct Threads {
    g: f32,
    softening2: f32,
    threads: usize,
    bodies: Vec<[f32; 4]>, // x, y, z, mass
    velocities: Vec<[f32; 3]>,
    accelerations: Vec<[f32; 3]>,
}

fn length(x: [f32; 3]) -> f32 {
    (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt()
}

impl Threads {
    // Eq. 1-3 for body i.
    fn acceleration_of(&self, i: usize) -> [f32; 3] {
        let [x, y, z, _] = self.bodies[i];
        let mut a = [0.0; 3];
        for (j, other) in self.bodies.iter().enumerate() {
            if i != j {
                let d = [other[0] - x, other[1] - y, other[2] - z];
                let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + self.softening2;
                let pull = other[3] / (r2 * r2.sqrt());
                for axis in 0..3 {
                    a[axis] += pull * d[axis];
                }
            }
        }
        [self.g * a[0], self.g * a[1], self.g * a[2]]
    }

    // Eq. 7 for body i.
    fn time_step_of(&self, i: usize) -> f32 {
        let [x, y, z, _] = self.bodies[i];
        let mut nearest = f32::INFINITY;
        for (j, other) in self.bodies.iter().enumerate() {
            if i != j {
                nearest = nearest.min(length([other[0] - x, other[1] - y, other[2] - z]));
            }
        }
        let (v, a) = (length(self.velocities[i]), length(self.accelerations[i]));
        let dt = 0.2 * nearest / (v + (v * v + 0.2 * a * nearest).sqrt());
        if nearest > 0.0 { dt } else { 0.0 } // at rest, Eq. 7 is 0/0
    }

    // The result of `of` for each body; rows are split into one part per thread.
    fn in_parallel<T: Send>(&self, mut found: Vec<T>, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let rows = (found.len() + self.threads - 1) / self.threads;
        std::thread::scope(|scope| {
            for (part, own) in found.chunks_mut(rows).enumerate() {
                let of = &of;
                scope.spawn(move || {
                    own.iter_mut().enumerate().for_each(|(k, one)| *one = of(part * rows + k));
                });
            }
        });
        found
    }
}

impl simulation::Simulator for Threads {
    fn new(bodies: &[[f32; 7]], g: f32, softening: f32, threads: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Threads {
            g,
            softening2: softening * softening,
            threads: if threads == 0 { cores } else { threads },
            bodies: bodies.iter().map(|&[mass, x, y, z, ..]| [x, y, z, mass]).collect(),
            velocities: bodies.iter().map(|&[.., vx, vy, vz]| [vx, vy, vz]).collect(),
            accelerations: vec![[0.0; 3]; bodies.len()],
        }
    }

    fn compute_accelerations(&mut self) {
        let room = vec![[0.0; 3]; self.bodies.len()];
        self.accelerations = self.in_parallel(room, |i| self.acceleration_of(i));
    }

    fn largest_time_step(&self) -> f32 {
        let steps = self.in_parallel(vec![0.0; self.bodies.len()], |i| self.time_step_of(i));
        steps.into_iter().fold(f32::INFINITY, f32::min)
    }

    // Eq. 5 with the old velocity, then Eq. 4.
    fn update_bodies(&mut self, dt: f32, damping: f32) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            let (v, a) = (&mut self.velocities[i], self.accelerations[i]);
            for axis in 0..3 {
                body[axis] += v[axis] * dt + a[axis] * dt * dt / 2.0;
                v[axis] = (v[axis] + a[axis] * dt) * damping;
            }
        }
    }

    fn state(&self, i: usize) -> [f32; 6] {
        let ([x, y, z, _], [vx, vy, vz]) = (self.bodies[i], self.velocities[i]);
        [x, y, z, vx, vy, vz]
    }

    fn acceleration(&self, i: usize) -> [f32; 3] {
        self.accelerations[i]
    }
}

fn main() {
    protocol::serve("rust_threads", simulation::answer::<Threads>);
}
