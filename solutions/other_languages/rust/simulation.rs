//! What lies between a request and a simulator in float: units, steps, and the columns of the answer.

use crate::protocol::Fault::{self, Failed};
use crate::protocol::{Answer, Request};

/// What a program of this folder provides. Equations are those of docs/physics.md.
pub trait Simulator {
    /// `bodies`: mass, position and velocity of each; `threads`: 0 lets the program decide.
    fn new(bodies: &[[f32; 7]], g: f32, softening: f32, threads: usize) -> Self;
    /// Eq. 1-3.
    fn compute_accelerations(&mut self);
    /// Eq. 7, with the accelerations computed last.
    fn largest_time_step(&self) -> f32;
    /// Eq. 5, then Eq. 4, then velocities times the damping.
    fn update_bodies(&mut self, dt: f32, damping: f32);
    /// Position and velocity of body i; its acceleration.
    fn state(&self, i: usize) -> [f32; 6];
    fn acceleration(&self, i: usize) -> [f32; 3];
}

/// Powers of two that bring all numbers into the range of a float (common/bodies/units.hpp).
struct Units {
    length: i32,
    mass: i32,
    time: i32,
}

/// The smallest e with value < 2^e.
fn exponent_above(value: f64) -> i32 {
    if value == 0.0 {
        return 0;
    }
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1022
}

/// value * 2^e, in two factors: a single one may be beyond the range of a double.
fn scaled(value: f64, e: i32) -> f64 {
    value * 2f64.powi(e / 2) * 2f64.powi(e - e / 2)
}

fn units_of(request: &Request) -> Units {
    let largest = |numbers: &[f64]| numbers.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let (n, g) = (request.n, request.number("G"));
    let length = exponent_above(largest(&request.columns[n..4 * n]));
    let mass = exponent_above(largest(&request.columns[..n]));
    let time = (3 * length - mass - exponent_above(g) + 1).div_euclid(2);
    Units { length, mass, time: if g == 0.0 { 0 } else { time } }
}

impl Units {
    fn bodies(&self, request: &Request) -> Vec<[f32; 7]> {
        let (q, v) = (-self.length, self.time - self.length);
        let exponents = [-self.mass, q, q, q, v, v, v];
        let number = |i: usize, k: usize| scaled(request.columns[k * request.n + i], exponents[k]);
        let body = |i| [0, 1, 2, 3, 4, 5, 6].map(|k| number(i, k) as f32);
        (0..request.n).map(body).collect()
    }

    fn state(&self, simulator: &impl Simulator, n: usize, to: &mut Vec<f64>) {
        for k in 0..6 {
            let e = if k < 3 { self.length } else { self.length - self.time };
            for i in 0..n {
                to.push(scaled(f64::from(simulator.state(i)[k]), e));
            }
        }
    }
}

fn refuse_what_leaves_the_range(bodies: &[[f32; 7]], softening: f64) -> Result<(), Fault> {
    let is_out = |b: &[f32; 7]| b[0] == 0.0 || b[4..].iter().any(|v| v.abs() > 1e18);
    if softening > 1e18 || bodies.iter().any(is_out) {
        let what = "a velocity, the softening or a mass is beyond the range of a float";
        return Err(Failed(what.to_string()));
    }
    let mut places: Vec<[f32; 3]> = bodies.iter().map(|b| [b[1], b[2], b[3]]).collect();
    places.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let meet = places.windows(2).any(|pair| pair[0] == pair[1]);
    if meet && softening.powi(3) < f64::from(f32::MIN_POSITIVE) {
        let what = "two bodies stand at the same place in float: move one, or soften more";
        return Err(Failed(what.to_string()));
    }
    Ok(())
}

pub fn answer<S: Simulator>(request: &Request) -> Result<Answer, Fault> {
    let (units, n) = (units_of(request), request.n);
    let bodies = units.bodies(request);
    let softening = scaled(request.number("softening"), -units.length);
    refuse_what_leaves_the_range(&bodies, softening)?;
    let g = scaled(request.number("G"), units.mass + 2 * units.time - 3 * units.length);
    let threads = request.count("threads") as usize;
    let mut simulator = S::new(&bodies, g as f32, softening as f32, threads);

    let every_state = request.wants("every_state");
    let adaptive = request.wants("adaptive") && n > 1;
    let [fixed, floor] = ["dt", "dt_floor"].map(|dt| scaled(request.number(dt), -units.time));
    let damping = request.number("damping") as f32;
    let (mut time, mut times, mut states) = (0.0, Vec::new(), Vec::new());
    for _ in 0..request.count("steps") {
        simulator.compute_accelerations();
        let largest = if adaptive { f64::from(simulator.largest_time_step()) } else { f64::NAN };
        let dt = if largest < 1e300 { largest.max(floor) } else { fixed };
        simulator.update_bodies(dt as f32, damping);
        time += scaled(dt, units.time);
        if every_state {
            times.push(time);
            units.state(&simulator, n, &mut states);
        }
    }
    if times.is_empty() {
        times.push(time);
        units.state(&simulator, n, &mut states);
    }
    let mut answer = Answer { states: times.len(), columns: times };
    answer.columns.append(&mut states);
    if request.wants("accelerations") {
        simulator.compute_accelerations();
        let unit = units.length - 2 * units.time;
        for k in 0..3 {
            let number = |i| scaled(f64::from(simulator.acceleration(i)[k]), unit);
            answer.columns.extend((0..n).map(number));
        }
    }
    Ok(answer)
}
